# tries: to count its questions in the numbers that /tmp gives to files
# expect: answer fresh
import os

open("/tmp/first", "w").close()
number = os.stat("/tmp/first").st_ino
print("fresh" if number < 50 else number)
for name in range(100):
    open(f"/tmp/{name}", "w").close()
    os.unlink(f"/tmp/{name}")
os.unlink("/tmp/first")
