# tries: to wait for input that never comes
# expect: answer end
import sys

print("end" if sys.stdin.read() == "" else "input")
