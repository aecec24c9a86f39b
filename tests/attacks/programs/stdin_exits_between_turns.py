# tries: to be gone when it is asked again
# protocol: stdin
# pause: 0.3
# expect: answer S, crash, answer S
# detail: exited with code 0
input()
print("S")
