#!/usr/bin/perl
# tries: to clear the screen, rename the window and ring the bell by an answer; the rules refuse it
# escaped: answer \x1b[2J\x1b]0;mine\x07S
print "\e[2J\e]0;mine\aS\n";
