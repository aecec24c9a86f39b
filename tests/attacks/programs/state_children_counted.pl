#!/usr/bin/perl
# tries: to read what earlier questions' helpers computed in what its own are said to have used
# expect: answer fresh
my ($user, $system, $children, $children_system) = times;
print $children + $children_system > 0 || $user + $system > 0.3 ? "found\n" : "fresh\n";
for (1 .. 3) { if (!fork) { my $n = 0; $n += $_ for 1 .. 500_000; exit } }
1 while wait > 0;
