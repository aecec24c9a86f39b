# tries: an answer a little longer than a line may be
# expect: flood
print("x" * 5000)
