#!/bin/sh
# tries: to have its thinking done by one program after the other, in pipes and in the background
# expect: timeout
# detail: computed for more than 0.3 s
# cpu: 0.3
# seconds: 20
i=0
while [ $i -lt 40 ]; do
  head -c 60000000 /dev/zero | cat | wc -c >/dev/null &
  i=$((i + 1))
  [ $((i % 4)) = 0 ] && wait
done
wait
echo S
