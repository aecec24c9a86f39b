#!/usr/bin/perl
# tries: to hide what its helpers compute by ignoring their end, from another language
# expect: timeout
# needs: groups
# detail: computed for more than 0.3 s
# cpu: 0.3
# seconds: 10
$SIG{CHLD} = "IGNORE";
for (1 .. 40) {
  if (!fork) { my $n = 0; for (;;) { $n++ for 1 .. 10_000; exit if (times)[0] >= 0.02 } }
  wait;
}
print "S\n";
