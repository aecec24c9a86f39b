# tries: to fill the disk through /tmp
# expect: answer full
try:
    for part in range(1000):
        with open(f"/tmp/{part}", "wb") as file:
            file.write(b"x" * (1 << 20))
    print("endless")
except OSError:
    print("full" if part <= 16 else part)
