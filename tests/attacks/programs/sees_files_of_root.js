#!/usr/bin/env node
// tries: to read, from a runtime of its own, the machine's users, services and their sockets
// expect: answer refused
const fs = require("fs");
const found = [];
const paths = ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/root/.bash_history", "/run/docker.sock", "/var/run/docker.sock", "/run/systemd/private", "/run/dbus/system_bus_socket", "/dev/sda", "/dev/vda", "/dev/mem", "/proc/kcore", "/proc/1/environ", "/proc/1/maps", "/proc/1/fd/0"];
for (const path of paths) {
  try {
    fs.accessSync(path, fs.constants.R_OK);
    fs.closeSync(fs.openSync(path));
    found.push(path);
  } catch {}
}
console.log(found.length ? found.join(" ") : "refused");
