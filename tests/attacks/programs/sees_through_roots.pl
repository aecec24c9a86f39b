#!/usr/bin/perl
# tries: to leave its files through the roots, folders and open files of processes
# expect: answer refused
my @found;
my @starts = map { my $p = $_; map { "/proc/$p/$_" } qw(root cwd fd/0/.. fd/1/.. task/1/root task/1/cwd map_files) } 1, "self", "thread-self", $$, getppid;
for my $start (@starts, "/bot/..", "/tmp/..", "/dev/fd/..", "/..", "/proc/self/root/proc/1/root", ".") {
  for my $path ("etc/shadow", "root/.ssh", "../../../../etc/shadow", "../../../root", "home", "boot", "work", "run/docker.sock") {
    my $whole = "$start/$path";
    next if $path =~ m{^(home|boot|work)$} && -e "/.dockerenv";
    if (!-d $whole) { push @found, $whole if -r $whole; next }
    opendir(my $folder, $whole) or next;
    push @found, $whole if grep { !/^\.\.?$/ } readdir $folder;
  }
}
print @found ? "@found[0]\n" : "refused\n";
