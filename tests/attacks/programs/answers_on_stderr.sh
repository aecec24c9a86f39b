#!/bin/sh
# tries: to answer where nobody is to hear it
# expect: malformed
# stderr: S on the other
echo "S on the other" >&2
