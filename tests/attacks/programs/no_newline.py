# tries: an answer without the newline at its end
# expect: answer one
print("one\r", end="")
