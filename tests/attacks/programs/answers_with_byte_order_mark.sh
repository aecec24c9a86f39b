#!/bin/sh
# tries: to hide its answer behind marks of which byte comes first; the rules refuse it
# escaped: answer \ufeffS\ufffe
printf '\357\273\277S\357\277\276\n'
