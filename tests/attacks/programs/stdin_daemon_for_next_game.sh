#!/bin/sh
# tries: to leave a daemon that answers in the next game, too
# protocol: stdin
# expect: answer first, answer again
exec 3<&0
read -r line
echo first
setsid sh -c 'while read -r line; do echo again; done; sleep 1000' <&3 >&1 &
wait
