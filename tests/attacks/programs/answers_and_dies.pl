#!/usr/bin/perl
# tries: to have an answer counted that it gave before it was killed
# expect: crash
# detail: killed by signal 9 (SIGKILL)
$| = 1;
print "S\n";
kill 9, $$;
sleep 5;
