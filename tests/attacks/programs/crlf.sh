#!/bin/sh
# tries: to end its line as another system does, which counts
# expect: answer S
printf 'S\r\n'
