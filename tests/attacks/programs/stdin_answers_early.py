# tries: to answer before it is asked, so that a later answer costs no time
# protocol: stdin
# pause: 0.5
# expect: malformed, answer S, malformed or answer S
# freely: malformed, answer S, malformed
print("S", flush=True)
while True:
    input()
    print("S", flush=True)
