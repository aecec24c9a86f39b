#!/usr/bin/env node
// tries: to reach the network in the ways that a runtime offers, and to be reached
// expect: answer refused
const net = require("net"), dgram = require("dgram"), dns = require("dns");
const found = [];
let left = 4;
const over = (name) => (result) => {
  if (name) found.push(name);
  if (--left === 0) {
    console.log(found.length ? found.join(" ") : "refused");
    process.exit(0);
  }
};
const client = net.connect(80, "127.0.0.1");
client.on("connect", over("connected")).on("error", over());
const server = net.createServer();
server.on("error", over());
server.listen(0, "127.0.0.1", over("listening"));
try {
  const datagram = dgram.createSocket("udp4");
  datagram.on("error", over());
  datagram.bind(0, over("bound"));
} catch { over()(); }
dns.resolve4("example.com", (error) => (error ? over()() : over("resolved")()));
