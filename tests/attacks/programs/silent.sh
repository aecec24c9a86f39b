#!/bin/sh
# tries: to keep the table waiting without computing
# expect: timeout
exec sleep 1000
