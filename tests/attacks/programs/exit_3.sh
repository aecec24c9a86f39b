#!/bin/sh
# tries: to fail, with a line printed before
# expect: crash
# detail: exited with code 3
echo S
exit 3
