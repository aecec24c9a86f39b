#!/bin/sh
# tries: to be a new program at every question; nobody forbids it
# protocol: stdin
# expect: answer S, answer S, answer S
read -r line
echo S
exec "$0" "$@"
