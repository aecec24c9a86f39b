# tries: to slow the others down by a crowd left working between its turns
# protocol: stdin
# expect: answer S, answer S or timeout or memory
# freely: answer S, timeout or memory
# needs: groups
# pause: 1.8
# seconds: 20
import os
import time

input()
print("S", flush=True)
computed = os.open("/tmp/computed", os.O_RDWR | os.O_CREAT | os.O_APPEND)
os.unlink("/tmp/computed")
for _ in range(200):
    try:
        if os.fork() == 0:
            os.setsid()
            while time.process_time() < 0.05:
                pass
            os.write(computed, b"x")
            while True:
                pass
    except OSError:
        break
while True:
    input()
    while os.fstat(computed).st_size < 30:  # the crowd has computed less than 1.5 s
        time.sleep(0.01)
    print("S", flush=True)
