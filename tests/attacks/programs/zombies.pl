#!/usr/bin/perl
# tries: to fill the process table with the dead
# expect: answer done
for (1 .. 1000) { my $child = fork; exit 0 if defined $child && $child == 0; }
print "done\n";
