# tries: to raise every limit that it was given
# expect: answer refused
import resource

done = []
for name in dir(resource):
    if name.startswith("RLIMIT_"):
        kind = getattr(resource, name)
        _, most = resource.getrlimit(kind)
        if most != resource.RLIM_INFINITY:
            for wanted in (most + 1, resource.RLIM_INFINITY):
                try:
                    resource.setrlimit(kind, (wanted, wanted))
                    done.append(name)
                except (OSError, ValueError):
                    pass
print("refused" if not done else done)
