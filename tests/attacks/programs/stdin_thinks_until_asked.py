# tries: to think just as long as others are asked; it says how long that was
# protocol: stdin
# expect: answer S or timeout, answer S or timeout
# freely: answer S or timeout, answer S or timeout
# needs: groups
# cpu: 0.1
# pause: 0.4
# seconds: 20
import select
import sys
import time

thought = 0.0
while True:
    sys.stdin.readline()
    print("S" if thought < 0.25 else f"thought for {thought} s", flush=True)
    begun = time.process_time()
    while not select.select([0], [], [], 0)[0]:
        thought = time.process_time() - begun
