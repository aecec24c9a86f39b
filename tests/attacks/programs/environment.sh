#!/bin/sh
# tries: to read what the referee's environment holds
# expect: answer refused
left=$(env | sed 's/=.*//' | grep -vxE 'PATH|HOSTNAME|HOME|LANG|PYTHONHASHSEED|PWD|OLDPWD|SHLVL|_' | tr '\n' ' ')
cat /proc/1/environ >/dev/null 2>&1 && left="$left pilot"
echo "${left:-refused}"
