#!/bin/sh
# tries: to answer before it is asked, so that a later answer costs no time; the first line is the answer
# protocol: stdin
# pause: 1
# expect: answer S, malformed or answer S
echo S
while read -r line; do echo S; done
