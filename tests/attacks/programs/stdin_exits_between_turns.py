# tries: to be gone when it is asked again
# protocol: stdin
# pause: 1
# expect: answer S, crash, answer S
# detail: exited with code 0
input()
print("S")
