# tries: to leave a note for its next process under an abstract socket name
# expect: answer fresh
import errno, os, socket, time

s = socket.socket(socket.AF_UNIX)
try:
    s.bind("\0note")
    s.listen()
    print("fresh", flush=True)
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
except OSError as error:
    print("fresh" if error.errno == errno.ENOSYS else f"found {error}")
