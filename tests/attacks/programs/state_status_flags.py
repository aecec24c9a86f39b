# tries: to leave a note in the flags of the open file that is every question's standard input
# expect: answer fresh
import fcntl, os

found = fcntl.fcntl(0, fcntl.F_GETFL) & (os.O_APPEND | os.O_NONBLOCK | os.O_ASYNC)
place = os.lseek(0, 0, os.SEEK_CUR)
print(found or place or "fresh")
fcntl.fcntl(0, fcntl.F_SETFL, os.O_APPEND | os.O_NONBLOCK | os.O_ASYNC)
