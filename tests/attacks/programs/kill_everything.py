# tries: to kill the pilot and everything else with every signal
# expect: answer done
import os

for number in range(1, 65):
    for target in (1, -1):
        if target == -1 and number == 1:
            continue
        try:
            os.kill(target, number)
        except OSError:
            pass
print("done")
