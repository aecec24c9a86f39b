#!/usr/bin/perl
# tries: to fill the machine with processes that ignore every signal
# expect: timeout or memory
$SIG{$_} = 'IGNORE' for keys %SIG;
fork while 1;
