# tries: an answer of one byte more than a line may have, without its end
# expect: flood
import os

os.write(1, b"x" * 4097)
