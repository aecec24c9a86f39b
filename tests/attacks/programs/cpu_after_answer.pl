#!/usr/bin/perl
# tries: to answer, to close its output, and to think on where its time seems to be over
# expect: timeout
# detail: computed for more than 0.3 s
# cpu: 0.3
# seconds: 10
$| = 1;
print "S\n";
close STDOUT;
close STDERR;
my $n = 0;
while ((times)[0] < 3) { $n++ for 1 .. 10_000 }
