#!/usr/bin/perl
# tries: to use up the queues, semaphores and shared segments that a user may have
# expect: answer refused
use IPC::SysV qw(IPC_CREAT IPC_PRIVATE IPC_EXCL);
my %made;
for my $number (1 .. 200) {
  $made{queue}++ if defined msgget($number, IPC_CREAT | IPC_EXCL | 0600);
  $made{semaphores}++ if defined semget($number, 10, IPC_CREAT | IPC_EXCL | 0600);
  $made{memory}++ if defined shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
}
print %made ? join(" ", %made) . "\n" : "refused\n";
