#!/usr/bin/env node
// tries: to have an answer that it gives later taken for the next one, in a runtime that never waits
// protocol: stdin
// expect: answer S, answer S or answer K or malformed
// pause: 0.05
process.stdin.on("data", () => {
  process.stdout.write("S\n");
  setTimeout(() => process.stdout.write("K\n"), 1);
});
