# tries: to have an answer that came too late taken for the next question's
# protocol: stdin
# expect: timeout, timeout
import time

while True:
    line = input()
    time.sleep(5)
    print("late", flush=True)
