# tries: to answer twice; the first line counts
# expect: answer one
print("one\ntwo")
