# tries: to overwrite its answer on a screen, and to end its line in the way of another machine
# escaped: answer S\rK\r\x0b\x0c\x1c\x1e
import sys

sys.stdout.buffer.write(b"S\rK\r\x0b\x0c\x1c\x1e\n")
