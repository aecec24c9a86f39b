# tries: to answer the next question together with this one
# protocol: stdin
# expect: answer S, malformed
while True:
    input()
    print("S\nS", flush=True)
