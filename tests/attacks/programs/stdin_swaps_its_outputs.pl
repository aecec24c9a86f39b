#!/usr/bin/perl
# tries: to swap its outputs, to close one and to have it back at the next question
# protocol: stdin
# expect: answer S, answer S, timeout
# detail: no answer within
my $turn = 0;
open(my $kept, ">&", \*STDOUT);
while (<STDIN>) {
  if ($turn++ == 0) { close STDOUT; open(STDOUT, ">&", $kept); syswrite STDOUT, "S\n" }
  elsif ($turn == 2) { close STDOUT; syswrite $kept, "S\n" }
  else { syswrite STDERR, "S\n" }
}
