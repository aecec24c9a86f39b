#!/usr/bin/env node
// tries: to end its line as text of other kinds does; it is one line all the same
// escaped: answer S\x85\u2028\u2029K
process.stdout.write("S\u0085\u2028\u2029K\n");
