# tries: paths so deep that no clean-up can name them
# expect: answer done
import os

os.chdir("/tmp")
for _ in range(3000):
    os.mkdir("d" * 100)
    os.chdir("d" * 100)
print("done")
