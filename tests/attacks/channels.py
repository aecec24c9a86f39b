"""Ways in which two programs on one machine notice each other; run inside of sandboxes.

Started with a number it lives, sends that on the channels that it is told and keeps what it sends
with. Started with the number and a channel's name it says whether it `heard` anything there, or
`nothing` and why.
"""

import ctypes
import errno
import fcntl
import os
import socket
import struct
import sys
import threading
import time

LIBC = ctypes.CDLL(None, use_errno=True)
SHARED = "/usr/bin/env"
NUMBER = int(sys.argv[1])
"""What no earlier pair of senders and listeners has sent."""
NAME = f"card-arena-{NUMBER}"
PORT = 20000 + NUMBER % 12000
KEPT = []


def keep(descriptor):
    KEPT.append(descriptor)
    return descriptor


def send_flock():
    fcntl.flock(keep(os.open(SHARED, os.O_RDONLY)), fcntl.LOCK_EX)


def hear_flock():
    fcntl.flock(os.open(SHARED, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    return False


def send_record_lock():
    fcntl.lockf(keep(os.open(SHARED, os.O_RDONLY)), fcntl.LOCK_SH)


def hear_record_lock():
    lock = struct.pack("hhlli", fcntl.F_WRLCK, 0, 0, 0, 0)
    found = fcntl.fcntl(os.open(SHARED, os.O_RDONLY), fcntl.F_GETLK, lock)
    return struct.unpack("hhlli", found)[0] != fcntl.F_UNLCK


def send_open_file_lock():
    lock = struct.pack("hhllixxxx", fcntl.F_RDLCK, 0, 0, 0, 0)
    fcntl.fcntl(keep(os.open(SHARED, os.O_RDONLY)), 37, lock)


def hear_open_file_lock():
    lock = struct.pack("hhllixxxx", fcntl.F_WRLCK, 0, 0, 0, 0)
    found = fcntl.fcntl(os.open(SHARED, os.O_RDONLY), 36, lock)
    return struct.unpack("hhllixxxx", found)[0] != fcntl.F_UNLCK


def send_watch():
    KEPT.append(LIBC.inotify_init1(os.O_NONBLOCK))
    if LIBC.inotify_add_watch(KEPT[-1], SHARED.encode(), 0x20) < 0:
        raise OSError("no watch")


def hear_watch():
    os.close(os.open(SHARED, os.O_RDONLY))
    return False


def back_watch():
    return bool(os.read(KEPT[-1], 4096))


def send_abstract_socket():
    KEPT.append(socket.socket(socket.AF_UNIX))
    KEPT[-1].bind(f"\0{NAME}")
    KEPT[-1].listen()


def hear_abstract_socket():
    socket.socket(socket.AF_UNIX).connect(f"\0{NAME}")
    return True


def send_shared_memory():
    if LIBC.shmget(NUMBER, 4096, 0o1666) < 0:
        raise OSError("no shared memory")


def hear_shared_memory():
    found = LIBC.shmget(NUMBER, 4096, 0)
    if found >= 0:
        LIBC.shmctl(found, 0, None)
    return found >= 0


def send_semaphores():
    if LIBC.semget(NUMBER, 1, 0o1666) < 0:
        raise OSError("no semaphores")


def hear_semaphores():
    found = LIBC.semget(NUMBER, 1, 0)
    if found >= 0:
        LIBC.semctl(found, 0, 0)
    return found >= 0


def send_posix_memory():
    with open(f"/dev/shm/{NAME}", "w") as file:
        file.write("sent")


def hear_posix_memory():
    os.unlink(f"/dev/shm/{NAME}")
    return True


def send_posix_queue():
    if LIBC.mq_open(f"/{NAME}".encode(), os.O_CREAT | os.O_RDWR, 0o666, None) < 0:
        raise OSError("no queue")


def hear_posix_queue():
    return LIBC.mq_unlink(f"/{NAME}".encode()) == 0


def send_device_times(path="/dev/full"):
    os.utime(path, (NUMBER, NUMBER))


def hear_device_times(path="/dev/full"):
    return os.stat(path).st_mtime == NUMBER


def send_file_times():
    send_device_times(__file__)


def hear_file_times():
    return hear_device_times(__file__)


def send_process_numbers():
    for _ in range(1000):
        if os.fork() == 0:
            os._exit(0)
        os.wait()


def hear_process_numbers():
    return os.getpid() > 500  # in Docker each question to the listener counts one or two


def send_list_of_locks():
    send_record_lock()


def hear_list_of_locks():
    return str(os.stat(SHARED).st_ino) in open("/proc/locks").read()


def send_keyring():
    number = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
    if LIBC.syscall(number, b"user", NAME.encode(), b"x", 1, -4) < 0:
        raise OSError("no keyring")


def hear_keyring():
    number = {"x86_64": 249, "aarch64": 218}[os.uname().machine]
    return LIBC.syscall(number, b"user", NAME.encode(), None, 0) >= 0


def send_presence():
    pass


def hear_presence():
    processes = max(("/proc/pids", "/proc"), key=os.path.exists)
    return any(n.isdigit() and int(n) not in (1, os.getpid()) for n in os.listdir(processes))


def send_socket_in_tmp():
    KEPT.append(socket.socket(socket.AF_UNIX))
    KEPT[-1].bind(f"/tmp/{NAME}")
    KEPT[-1].listen()


def hear_socket_in_tmp():
    try:
        socket.socket(socket.AF_UNIX).connect(f"/tmp/{NAME}")
    finally:
        os.unlink(f"/tmp/{NAME}")
    return True


def send_loopback():
    KEPT.append(socket.socket(socket.AF_INET))
    KEPT[-1].bind(("127.0.0.1", PORT))
    KEPT[-1].listen()


def hear_loopback():
    socket.socket(socket.AF_INET).connect(("127.0.0.1", PORT))
    return True


def call(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    done = LIBC.syscall(number, *arguments)
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done


MOST_EVENTS = 65536
"""What the kernel gives out to all programs together, where nobody has changed it."""


def take_events(count):
    context = ctypes.c_ulong()
    call(206, 0, count, ctypes.byref(context))
    return context


def send_aio_events():
    KEPT.append(take_events(MOST_EVENTS - 1000))


def hear_aio_events():
    try:
        take_events(2000)
    except BlockingIOError:
        return True
    return False


def back_aio_events():
    if KEPT and isinstance(KEPT[-1], ctypes.c_ulong):
        call(207, 1, KEPT.pop())
    return False


UNREAD = os.path.join(os.path.dirname(os.__file__), "antigravity.py")


def send_page_cache():
    file = os.open(UNREAD, os.O_RDONLY)
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def hear_page_cache():
    file = os.open(UNREAD, os.O_RDONLY)
    try:
        os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
    except BlockingIOError:
        os.pread(file, 1, 0)
        return True
    return False


UNKNOWN = f"/usr/lib/{NAME}"


def send_known_name():
    os.path.exists(UNKNOWN)


def hear_known_name():
    only_known = struct.pack("QQQ", os.O_RDONLY, 0, 0x20)
    try:
        call(437, 437, -100, UNKNOWN.encode(), only_known, len(only_known))
    except FileNotFoundError:
        return True
    return False


def attempt(verb, channel):
    try:
        return "heard" if globals()[f"{verb}_{channel}"]() else "nothing"
    except OSError as error:
        locked = verb == "hear" and channel == "flock" and error.errno == errno.EAGAIN
        return "heard" if locked else f"nothing: {error}"


def main():
    if len(sys.argv) > 2:
        print(attempt("hear", sys.argv[2]))
        return
    for line in sys.stdin:
        verb, channel = line.split()
        print(attempt(verb, channel), flush=True)


if __name__ == "__main__":
    main()
