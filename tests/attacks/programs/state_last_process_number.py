# tries: to count its questions by the number that the kernel gave to a process last
# expect: answer fresh
# needs: numbers
import os

try:
    last = int(open("/proc/sys/kernel/ns_last_pid").read())
    numbers = [int(line.split()[4]) for line in open("/proc/loadavg")]
except OSError:
    last, numbers = os.getpid(), []
print("fresh" if last == os.getpid() and not [n for n in numbers if n > 50] else (last, numbers))
for _ in range(10):
    if os.fork() == 0:
        os._exit(0)
    os.wait()
