#!/usr/bin/perl
# tries: to behave until the third question
# protocol: stdin
# expect: answer S, answer S, crash
# detail: exited with code 7
$| = 1;
while (<STDIN>) { exit 7 if $. == 3; print "S\n"; }
