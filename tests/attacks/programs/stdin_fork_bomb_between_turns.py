# tries: to slow the others down by a crowd left working between its turns
# protocol: stdin
# expect: answer S, answer S or timeout
# freely: answer S, timeout
# needs: groups
# cpu: 0.35
# pause: 1.8
# seconds: 5
import os

input()
print("S", flush=True)
for _ in range(200):
    try:
        if os.fork() == 0:
            os.setsid()
            while True:
                pass
    except OSError:
        break
while True:
    input()
    print("S", flush=True)
