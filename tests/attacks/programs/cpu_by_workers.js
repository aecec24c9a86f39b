#!/usr/bin/env node
// tries: to compute more than its share in a runtime's own workers
// expect: timeout
// detail: computed for more than 0.5 s
// cpu: 0.5
// seconds: 10
const { Worker } = require("worker_threads");
for (let i = 0; i < 3; i++) new Worker("for (;;) {}", { eval: true });
