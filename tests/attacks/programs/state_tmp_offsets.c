// tries: to count its questions in the places that /tmp gives to names in its list
// expect: answer fresh
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
enum { END = 0x7fffffff };
static long place(void) {
  close(open("/tmp/one", O_CREAT | O_RDWR, 0600));
  close(open("/tmp/two", O_CREAT | O_RDWR, 0600));
  DIR *folder = opendir("/tmp");
  long found = 0;
  while (folder && readdir(folder))
    if (telldir(folder) < END && telldir(folder) > found) found = telldir(folder);
  if (folder) closedir(folder);
  unlink("/tmp/one");
  unlink("/tmp/two");
  return found;
}
int main(void) {
  long first = place();
  for (int i = 0; i < 100; i++) place();
  if (first < 50) puts("fresh");
  else printf("%ld\n", first);
}
