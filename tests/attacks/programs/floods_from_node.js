#!/usr/bin/env node
// tries: to fill the referee's memory from a runtime with threads of its own
// expect: flood
for (;;) require("fs").writeSync(1, "x".repeat(65536));
