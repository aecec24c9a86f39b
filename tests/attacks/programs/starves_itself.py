# tries: to have its own lowest limits make its end impossible
# expect: answer done
import os, resource

for kind in (resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
    resource.setrlimit(kind, (0, 0))
resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
resource.setrlimit(resource.RLIMIT_AS, (1 << 20, 1 << 20))
os.write(1, b"done\n")
os._exit(0)
