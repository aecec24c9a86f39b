#!/usr/bin/perl
# tries: to pass an open file by the bare number of the call, from another language
# expect: answer refused
use Socket;
my ($send, $receive) = `uname -m` =~ /x86_64/ ? (46, 47) : (211, 212);
socketpair(my $here, my $away, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die;
my $byte = "x";
my $piece = pack("P Q", $byte, 1);
my $rights = pack("Q i i i x4", 20, SOL_SOCKET, 1, 0);
my $message = pack("P L x4 P Q P Q i x4", undef, 0, $piece, 1, $rights, 24, 0);
my $sent = syscall($send, fileno($here), $message, 0);
print $sent >= 0 ? "sent $sent\n" : "refused\n";
