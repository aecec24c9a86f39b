# tries: to make the pipe of its questions too small for one, and to change it while one is written
# protocol: stdin
# question: 200000
# expect: answer 200001, answer 200001
import fcntl, os

while True:
    length = 0
    for size in (4096, 1 << 20, 4096):
        try:
            fcntl.fcntl(0, 1031, size)
        except OSError:
            pass
        for _ in range(3):
            if length < 190_000:
                length += len(os.read(0, 10_000))
    while True:
        piece = os.read(0, 4096)
        length += len(piece)
        if not piece or piece.endswith(b"\n"):
            break
    if not piece:
        break
    os.write(1, b"%d\n" % length)
