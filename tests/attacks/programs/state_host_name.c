// tries: to leave a note in the names of its machine and of its domain
// expect: answer fresh
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
int main(void) {
  struct utsname before, after;
  uname(&before);
  sethostname("note", 4);
  setdomainname("note", 4);
  for (int i = 0; i < 2; i++) {
    FILE *file = fopen(i ? "/proc/sys/kernel/domainname" : "/proc/sys/kernel/hostname", "w");
    if (file) fputs("note", file), fclose(file);
  }
  uname(&after);
  int found = strcmp(before.nodename, "sandbox") || memcmp(&before, &after, sizeof before);
  puts(found ? "found" : "fresh");
}
