#!/bin/sh
# tries: to be a new program before anybody can end the old one
# expect: timeout
exec "$0" "$@"
