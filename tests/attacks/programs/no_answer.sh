#!/bin/sh
# tries: to end well without an answer
# expect: malformed
exit 0
