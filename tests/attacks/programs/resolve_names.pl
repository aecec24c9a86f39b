#!/usr/bin/perl
# tries: to send what it knows away in the names that it asks for
# expect: answer refused
use Socket;
my @found = gethostbyname("secret-cards.example.com");
my $open = socket(my $s, PF_INET, SOCK_DGRAM, getprotobyname("udp") // 17)
  && send($s, "secret", 0, pack_sockaddr_in(53, inet_aton("127.0.0.53")));
print @found || $open ? "resolved\n" : "refused\n";
