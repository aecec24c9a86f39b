# tries: to add a packet filter with every answer, and to lock it so that it stays
# protocol: stdin
# expect: answer 0, answer 0, answer 0
import ctypes, socket, struct, sys

SO_ATTACH_FILTER, SO_LOCK_FILTER = 26, 44
ACCEPT = struct.pack("HBBI", 6, 0, 0, 0xFFFF)
code = ctypes.create_string_buffer(ACCEPT * 1000)
program = struct.pack("HxxxxxxQ", 1000, ctypes.addressof(code))
held = []
for line in sys.stdin:
    for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
        pair = socket.socketpair(socket.AF_UNIX, kind)
        for end in pair:
            try:
                end.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)
                held.append(pair)
                end.setsockopt(socket.SOL_SOCKET, SO_LOCK_FILTER, 1)
            except OSError:
                pass
    print(len(held), flush=True)
