#!/bin/sh
# tries: to fill the machine with processes from a shell, as in every tale of fork bombs
# expect: malformed or crash or timeout
bomb() { bomb | bomb & }
bomb
