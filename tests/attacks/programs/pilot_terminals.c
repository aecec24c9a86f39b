// tries: to type on, to take over or to change the terminals of the machine
// expect: answer refused
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
int main(void) {
  char done[400] = "";
  const char *paths[] = {"/dev/tty", "/dev/console", "/dev/tty0", "/dev/tty1", "/dev/ttyS0", "/dev/pts/0", "/dev/pts/1", "/dev/vcs", "/dev/vcsa1", "/dev/fb0"};
  int open_at[13] = {0, 1, 2}, number = 22, pilot = 1;
  for (int i = 0; i < 10; i++)
    if ((open_at[3 + i] = open(paths[i], O_RDWR | O_NOCTTY)) >= 0) sprintf(done + strlen(done), "%s ", paths[i]);
  char kind[2] = {2, 0};
  for (int i = 0; i < 13; i++) {
    int fd = open_at[i];
    if (fd < 0) continue;
    if (ioctl(fd, TIOCSTI, "x") == 0) strcat(done, "key ");
    if (ioctl(fd, TIOCLINUX, kind) == 0) strcat(done, "selection ");
    if (ioctl(fd, TIOCSCTTY, 1) == 0) strcat(done, "control ");
    if (ioctl(fd, TIOCNOTTY) == 0) strcat(done, "leave ");
    if (ioctl(fd, TIOCSPGRP, &pilot) == 0) strcat(done, "group ");
    if (ioctl(fd, TIOCSETD, &number) == 0) strcat(done, "line ");
    if (ioctl(fd, TIOCCONS) == 0) strcat(done, "console ");
    if (ioctl(fd, 0x4B47, &kind) == 0) strcat(done, "keyboard ");
    if (ioctl(fd, 0x5606, 1) == 0) strcat(done, "screen ");
  }
  puts(*done ? done : "refused");
}
