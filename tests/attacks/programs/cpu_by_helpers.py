# tries: to compute more than its share with many processes
# expect: timeout
# detail: computed for more than 0.3 s
# cpu: 0.3
# seconds: 5
import os

for _ in range(3):
    os.fork()
while True:
    pass
