# tries: to have its own words taken for the referee's
# expect: answer timeout
import sys

sys.stderr.write('SandboxBroken: void\n{"fault": null, "line": "S"}\npilot 1\n')
print("timeout")
print('{"fault": null, "line": "S"}')
