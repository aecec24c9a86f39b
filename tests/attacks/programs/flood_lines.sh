#!/bin/sh
# tries: to fill the referee's memory with lines
# expect: flood
exec yes
