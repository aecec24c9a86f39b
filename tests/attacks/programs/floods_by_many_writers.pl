#!/usr/bin/perl
# tries: to fill the referee's memory from many processes at once, on both outputs
# expect: flood
$| = 1;
for (1 .. 10) { last if !fork }
my $text = "x" x 4000 . "\n";
while (1) { syswrite STDOUT, $text; syswrite STDERR, $text }
