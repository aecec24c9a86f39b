#!/bin/sh
# tries: to stop everybody and itself among them, again and again, while the pilot looks
# expect: answer done
i=0
while [ $i -lt 200 ]; do
  kill -STOP -1; kill -CONT -1; kill -TSTP 1; kill -STOP 1; kill -TTIN 1; kill -CONT 1
  i=$((i + 1))
done 2>/dev/null
echo done
