#!/usr/bin/perl
# tries: to end the referee's strings early, and to control a terminal
# protocol: stdin
# escaped: answer \x00\x1b[31m, answer \x00\x1b[31m
$| = 1;
print "\0\e[31m\r\n" while <STDIN>;
