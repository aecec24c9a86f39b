#!/usr/bin/perl
# tries: to end the pilot as the head of its session, of its group and of its tree
# expect: answer done
use POSIX;
POSIX::setpgid(0, 1);
POSIX::setpgid(1, 0);
POSIX::setsid();
for my $signal (9, 15, 19, 1, 2, 3, 11) { kill -$signal, 1; kill $signal, 1; kill -$signal, getpgrp(1) if getpgrp(1) > 0 && getpgrp(1) != $$; }
print "done\n";
