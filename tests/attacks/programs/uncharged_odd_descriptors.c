// tries: to make descriptors of kinds that no bot needs
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static char done[400];
static void note(const char *name, long result) {
  if (result >= 0) strcat(strcat(done, name), " ");
}
int main(void) {
  note("memfd", syscall(SYS_memfd_create, "x", 0));
  note("huge memfd", syscall(SYS_memfd_create, "x", 4));
  note("secret", syscall(447, 0));
  note("fsopen", syscall(430, "tmpfs", 0));
  note("fspick", syscall(433, AT_FDCWD, "/tmp", 0));
  note("tree", syscall(428, AT_FDCWD, "/tmp", 0));
  note("tree copy", syscall(428, AT_FDCWD, "/tmp", 1));
  note("tree with attributes", syscall(467, AT_FDCWD, "/tmp", 1, 0, 0));
  note("shadow stack", syscall(453, 0, 4096, 0));
  note("accounting", syscall(SYS_acct, 0));
  note("cookie", syscall(SYS_lookup_dcookie, 0, done, 1));
  note("listener", syscall(SYS_fanotify_init, 0, 0));
  note("module", syscall(SYS_finit_module, 0, "", 0));
  note("kernel", syscall(SYS_kexec_file_load, 0, 0, 0, "", 0));
  note("swap", syscall(SYS_swapon, "/tmp/swap", 0));
  note("clock", open("/dev/ptp0", O_RDWR));
  note("kvm", open("/dev/kvm", O_RDWR));
  note("fuse", open("/dev/fuse", O_RDWR));
  note("tunnel", open("/dev/net/tun", O_RDWR));
  note("loop", open("/dev/loop-control", O_RDWR));
  puts(*done ? done : "refused");
}
