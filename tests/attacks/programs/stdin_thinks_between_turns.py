# tries: to think while others are asked, and to answer in no time
# protocol: stdin
# expect: answer S, timeout
# freely: answer S, timeout
# needs: groups
# detail: computed for more than 0.5 s
# cpu: 0.5
# pause: 0.1
# seconds: 20
import time

while True:
    input()
    print("S", flush=True)
    begun = time.process_time()
    while time.process_time() - begun < 1.5:
        pass
