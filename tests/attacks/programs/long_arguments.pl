#!/usr/bin/perl
# tries: to start a program with a megabyte of arguments
# expect: answer done
system("/bin/true", ("x" x 100_000) x 10);
system("/bin/true", "x" x 1_000_000);
print "done\n";
