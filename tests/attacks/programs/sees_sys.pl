#!/usr/bin/perl
# tries: to read what the machine's devices, modules and control groups say of it
# expect: answer refused
my @found;
for my $pattern (
  "/sys/fs/cgroup/*", "/sys/fs/cgroup/*/*", "/sys/block/*/stat", "/sys/class/net/*/statistics/*", "/sys/class/thermal/*/temp",
  "/sys/class/hwmon/*/*", "/sys/kernel/mm/*/*", "/sys/kernel/slab/*/*", "/sys/kernel/*", "/sys/kernel/debug/*",
  "/sys/devices/system/node/*/*", "/sys/devices/system/cpu/*/cpufreq/*", "/sys/power/*", "/sys/fs/*/*/*",
  "/sys/devices/virtual/bdi/*/*", "/sys/class/dmi/id/*", "/sys/firmware/*", "/sys/module/*/parameters/*",
) {
  for my $path (glob $pattern) {
    next if -d $path || @found > 10;
    open(my $file, "<", $path) or next;
    push @found, $path if sysread $file, my $text, 1;
  }
}
print @found ? "@found[0 .. 3]\n" : "refused\n";
