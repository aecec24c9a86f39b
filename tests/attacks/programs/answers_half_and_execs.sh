#!/bin/sh
# tries: to have its answer written by two programs, one after the other
# expect: answer SK
printf S
exec sh -c 'printf K; exec echo'
