# tries: to leave a note in how long what is written to the folders of its sandbox is said to live
# expect: answer fresh
import fcntl, os, struct

F_GET_RW_HINT, F_SET_RW_HINT, F_SET_FILE_RW_HINT = 1035, 1036, 1038
found = []
for folder in ("/tmp", "/"):
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOATIME * (folder == "/tmp"))
    try:
        if any(fcntl.fcntl(place, F_GET_RW_HINT, bytes(8))):
            found.append(folder)
    except OSError:
        pass
    for command in (F_SET_RW_HINT, F_SET_FILE_RW_HINT):
        try:
            fcntl.fcntl(place, command, struct.pack("Q", 3))
        except OSError:
            pass
print(found or "fresh")
