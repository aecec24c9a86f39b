"""Odd little programs, each of which could tell a forked interpreter from one started afresh.

Each prints what it sees, in one line, or ends in its own way.
"""

# A program's line is not broken where ours would be:
# ruff: noqa: E501

from __future__ import annotations

HELPERS = {
    "helper.py": "import json\nCALLS = []\ndef count(word):\n    CALLS.append(word)\n"
    "    return json.dumps(CALLS)\n",
    "parts/__init__.py": "from parts import inner\n",
    "parts/inner.py": "import string\nVALUE = string.digits\n",
    "table.txt": "one two three\n",
}
"""Files that lie beside each program."""

STARTED_AFRESH = frozenset(
    {"fails_to_be_read", "warns_when_compiled", "hashes", "is_deeply_nested"}
)
"""Programs that can't be prepared for forks: the interpreter has to read them itself."""

PROGRAMS = {
    "answers": "import sys\nprint(sys.argv[1:])",
    "says_nothing": "pass",
    "is_empty": "",
    "prints_without_newline": "import sys; sys.stdout.write('no end')",
    "prints_two_lines": "print('one'); print('two')",
    "prints_much": "print('x' * 4000)",
    "floods": "print('x' * 100_000)",
    "prints_words_that_are_no_text": (
        "import sys, os\nsys.stdout.buffer.write(b'\\xff\\xfe ' + os.fsencode(sys.argv[1]))"
    ),
    "exits_with_a_number": "import sys; print('S'); sys.exit(3)",
    "exits_with_none": "import sys; print('S'); sys.exit()",
    "exits_with_text": "import sys; sys.exit('cannot go on')",
    "exits_with_a_big_number": "import sys; sys.exit(256 + 7)",
    "exits_with_a_negative_number": "raise SystemExit(-1)",
    "exits_with_a_huge_number": "raise SystemExit(10**30)",
    "exits_with_a_truth": "raise SystemExit(True)",
    "exits_with_a_list": "raise SystemExit(['a', 1])",
    "exits_with_an_exit_of_its_own": (
        "class Mine(SystemExit):\n    @property\n    def code(self): return 9\nraise Mine()"
    ),
    "exits_at_once": "import os\nprint('lost')\nos._exit(4)",
    "exits_in_a_function": (
        "import sys\ndef go():\n    try: sys.exit(5)\n    finally: print('S')\ngo()"
    ),
    "exits_when_it_exits": (
        "import atexit, sys\natexit.register(sys.exit, 6)\nprint('S')\nsys.exit(2)"
    ),
    "fails": "def go(n):\n    return 1 / n\n\nprint('S')\ngo(0)",
    "fails_twice": "try:\n    {}['a']\nexcept KeyError:\n    int('b')",
    "fails_from_a_cause": "try:\n    [][0]\nexcept IndexError as e:\n    raise OSError('no') from e",
    "fails_with_a_note": "e = ValueError('bad')\ne.add_note('think again')\nraise e",
    "fails_with_a_group": "raise ExceptionGroup('all', [ValueError(1), TypeError('x')])",
    "fails_in_a_helper": "import helper\nhelper.count(object())",
    "fails_to_import": "import nowhere_to_be_found",
    "fails_to_import_a_part": "from json import nothing_such",
    "fails_with_no_module_of_ours": "import card_arena",
    "fails_to_be_read": "print('S'\nx = (",
    "fails_to_be_text": "x = '\\ud800'\nprint(x)",
    "fails_on_a_line_over_lines": "print(1 +\n      2 +\n      None)",
    "fails_too_deep": (
        "def go(n):\n    return go(n + 1)\ntry:\n    go(0)\nexcept RecursionError as e:\n"
        "    print(type(e).__name__, e)"
    ),
    "interrupts_itself": "print('S', flush=True)\nraise KeyboardInterrupt",
    "is_interrupted": (
        "import os, signal, time\nprint('S', flush=True)\n"
        "os.kill(os.getpid(), signal.SIGINT)\ntime.sleep(5)"
    ),
    "is_terminated": "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)",
    "crashes": "import os\nos.abort()",
    "overrides_the_excepthook": (
        "import sys\nsys.excepthook = lambda *e: print('hooked', e[0].__name__)\n1 / 0"
    ),
    "exits_in_the_excepthook": (
        "import sys\nsys.excepthook = lambda *e: sys.exit(8)\nprint('S')\n1 / 0"
    ),
    "exits_by_functions": (
        "import atexit\nfor n in range(3):\n    atexit.register(print, n, end=' ')\n"
        "atexit.register(print, 'S', end=' ')"
    ),
    "fails_in_an_exit_function": "import atexit\natexit.register(lambda: 1 / 0)\nprint('S')",
    "finalises_objects": (
        "class Loud:\n    def __init__(self, name): self.name = name\n"
        "    def __del__(self): print(self.name, end=' ')\n"
        "a, b = Loud('a'), Loud('b')\na.other, b.other = b, a\nc = Loud('c')\n"
        "def keep(): return Loud, keep\nkeep.me = Loud('d')"
    ),
    "fails_in_a_finaliser": ("class Bad:\n    def __del__(self): 1 / 0\nb = Bad()\nprint('S')"),
    "finalises_a_generator": (
        "def steps():\n    try: yield 1\n    finally: print('left')\ns = steps()\nnext(s)"
    ),
    "finalises_weakly": (
        "import weakref\nclass A: pass\na = A()\nweakref.finalize(a, print, 'gone')\n"
        "r = weakref.ref(a, lambda _: print('dead'))"
    ),
    "leaves_a_file_open": "f = open(1, 'w', closefd=False)\nf.write('S')",
    "leaves_a_file_open_in_python": "import json\njson.f = open(1, 'w', closefd=False)\njson.f.write('')\nprint('S')",
    "closes_stdout": "import sys\nprint('S')\nsys.stdout.close()",
    "closes_stdout_below": "import os\nos.close(1)\nprint('S')",
    "closes_stderr": "import sys\nsys.stderr.close()\nprint('S')\n1 / 0",
    "replaces_stdout": (
        "import sys, io\nsys.stdout = io.StringIO()\nprint('no')\nsys.__stdout__.write('S')"
    ),
    "shouts_on_stdout": (
        "import sys\nclass Loud:\n    def __init__(self, to): self.to = to\n"
        "    def write(self, text): self.to.write(text.upper())\n"
        "    def flush(self): self.to.write('!'); self.to.flush()\n"
        "sys.stdout = Loud(sys.stdout)\nprint('quiet', end='')"
    ),
    "writes_on_stderr": "import sys\nprint('S')\nsys.stderr.write('no end')",
    "prints_in_c": ("import ctypes\nlibc = ctypes.CDLL(None)\nlibc.printf(b'S from C')"),
    "keeps_a_thread": (
        "import threading, time\ndef later():\n    time.sleep(0.05)\n    print('S')\n"
        "threading.Thread(target=later).start()\nprint(threading.main_thread().name, end=' ')"
    ),
    "keeps_a_demon": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
        "print(threading.active_count())"
    ),
    "fails_in_a_thread": (
        "import threading\nt = threading.Thread(target=lambda: 1 / 0, name='worker')\n"
        "t.start(); t.join()\nprint('S')"
    ),
    "starts_a_thread_at_import": (
        "import threading, socket\nevent = threading.Event()\n"
        "t = threading.Thread(target=event.wait, daemon=True)\nt.start()\n"
        "a, b = socket.socketpair()\na.send(b'S')\nprint(b.recv(9), t.is_alive())"
    ),
    "pools_threads": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(2) as pool: print(list(pool.map(str, range(4))))"
    ),
    "runs_coroutines": (
        "import asyncio\nasync def go():\n    await asyncio.sleep(0)\n    return 'S'\n"
        "print(asyncio.run(go()))"
    ),
    "starts_a_process": (
        "import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', 'print(7)'],"
        " capture_output=True, text=True).stdout)"
    ),
    "forks": (
        "import os, sys\nprint('before')\nsys.stdout.flush()\npid = os.fork()\n"
        "if pid == 0:\n    print('child'); sys.exit(3)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"
    ),
    "starts_by_fork": (
        "from multiprocessing import Process\ndef go(): print('child', flush=True)\n"
        "p = Process(target=go)\np.start(); p.join()\nprint(p.exitcode)"
    ),
    "replaces_itself": "import os\nos.execvp('echo', ['echo', 'S'])",
    "knows_its_name": (
        "import sys\nm = sys.modules['__main__']\nimport __main__\n"
        "print(__name__, __file__, __spec__, __package__, __cached__, type(__loader__).__name__,"
        " m is __main__, sys.argv[0], __builtins__.__name__)"
    ),
    "knows_its_names": "x: int = 1\n'no doc'\nprint(sorted(globals()), __doc__, __annotations__)",
    "knows_its_documentation": "'''Plays.'''\nfrom __future__ import annotations\nprint(__doc__)",
    "knows_the_future": (
        "from __future__ import annotations\nx: nothing = 1\nprint(__annotations__)"
    ),
    "knows_its_frames": (
        "import sys, inspect, traceback\n"
        "print(sys._getframe().f_back, len(inspect.stack()), sys._getframe().f_lineno)\n"
        "traceback.print_stack()"
    ),
    "knows_its_source": (
        "import inspect, linecache\ndef go():\n    return 'S'\n"
        "print(inspect.getsource(go), linecache.getline(__file__, 1), __loader__.get_source('__main__')[:6])"
    ),
    "warns": "import warnings\nwarnings.warn('careful', stacklevel=2)\nwarnings.warn('mind')\nprint('S')",
    "warns_when_compiled": "print(1 is 1)",
    "warns_of_old_ways": "import warnings\nwarnings.warn('old', DeprecationWarning)\nprint('S')",
    "knows_its_interpreter": (
        "import sys\nprint(sys.flags, sys.executable, sys.path, sys.orig_argv, sys.warnoptions,"
        " sys.dont_write_bytecode, sys.getrecursionlimit(), sys.gettrace())"
    ),
    "knows_its_streams": (
        "import sys\nfor s in (sys.stdin, sys.stdout, sys.stderr):\n"
        "    print(s.name, s.mode, s.encoding, s.errors, s.line_buffering, s.isatty(),"
        " s.seekable(), s.fileno(), end='; ')\nprint(sys.stdin.read())"
    ),
    "knows_its_process": (
        "import os, resource\nprint(os.getpid(), os.getppid(), os.getsid(0), os.getpgid(0),"
        " os.getcwd(), sorted(os.listdir('/proc/self/fd')), os.umask(0),"
        " [resource.getrlimit(n) for n in range(16)], open('/proc/self/comm').read())"
    ),
    "knows_its_powers": (
        "print([l for l in open('/proc/self/status') if l.startswith(('CapP', 'CapE', 'CapA', 'NoNew',"
        " 'Seccomp', 'SigB', 'SigC', 'SigP', 'Uid', 'Gid', 'Threads'))])"
    ),
    "knows_its_environment": "import os\nprint(sorted(os.environ.items()))",
    "knows_its_signals": (
        "import signal\nprint([(s.name, str(signal.getsignal(s)).split(' at ')[0])"
        " for s in signal.valid_signals() if s in list(signal.Signals)])"
    ),
    "knows_its_language": (
        "import locale, sys\nprint(locale.setlocale(locale.LC_ALL), sys.getfilesystemencoding(),"
        " locale.getpreferredencoding())"
    ),
    "knows_its_collector": (
        "import gc\nprint(gc.isenabled(), gc.get_threshold(), gc.get_debug(), gc.garbage)"
    ),
    "hashes": "print(hash('a'), hash(b'b'), {'x', 'y', 'z', 'w'})",
    "is_random_by_seed": "import random\nrandom.seed(7)\nprint(random.random(), random.sample(range(99), 5))",
    "computes_little": "import time\nprint(time.process_time() < 0.9, time.thread_time() < 0.9)",
    "opens_files": "print(open('table.txt').read(), open(__file__).readline())",
    "uses_its_own_modules": (
        "import sys, helper, parts\nfrom parts.inner import VALUE\n"
        "print(helper.count(sys.argv[1]), helper.__file__, helper.__cached__, parts.__path__, VALUE)"
    ),
    "uses_a_module_by_name": "import importlib\nprint(importlib.import_module('helper').count(1))",
    "tells_what_it_may_import": (
        "import importlib.util as u\nprint([u.find_spec(n) is not None for n in"
        " ('sandbox', 'answers', 'helper', 'json')])"
    ),
    "reloads": "import importlib, json\nprint(importlib.reload(json).dumps([1]))",
    "pickles": (
        "import pickle\nclass A:\n    def __eq__(self, o): return type(o) is A\n"
        "print(pickle.loads(pickle.dumps(A())) == A(), A.__module__)"
    ),
    "defines_classes": (
        "import dataclasses, enum, typing, collections\n@dataclasses.dataclass\nclass P:\n    x: int = 2\n"
        "class E(enum.Enum):\n    A = 1\nN = collections.namedtuple('N', 'a b')\n"
        "print(P(), E.A, N(1, 2), repr(P), typing.get_type_hints(P))"
    ),
    "has_a_main": "def main():\n    print('S')\nif __name__ == '__main__':\n    main()",
    "star_imports": "from math import *\nfrom os.path import *\nprint(floor(pi), join('a', 'b'))",
    "changes_builtins": (
        "import builtins\nold = builtins.print\nbuiltins.print = lambda *a: old('changed', *a)\nprint('S')"
    ),
    "keeps_things_in_builtins": (
        "import builtins, os\nclass A:\n    def __del__(self, w=os.write): w(1, b'bye ')\n"
        "builtins.mine = A()"
    ),
    "keeps_things_in_sys": (
        "import sys, os\nclass A:\n    def __del__(self, w=os.write): w(1, b'bye ')\nsys.mine = A()"
    ),
    "keeps_things_in_python": (
        "import json, os\nclass A:\n    def __del__(self, w=os.write): w(1, b'bye ')\njson.mine = A()"
    ),
    "keeps_a_module_in_python": (
        "import json, os, helper\nclass A:\n    def __del__(self, w=os.write): w(1, b'bye ')\n"
        "helper.mine = A()\njson.helper = helper"
    ),
    "keeps_itself": (
        "import os, __main__\nclass A:\n    def __del__(self, w=os.write): w(1, b'bye ')\na = A()"
    ),
    "imports_when_it_ends": (
        "class A:\n    def __del__(self):\n        import json\n        print(json.dumps([1]))\na = A()"
    ),
    "logs": (
        "import logging\nlogging.basicConfig(format='%(name)s %(message)s')\n"
        "logging.getLogger('bot').warning('careful')\nprint('S')"
    ),
    "prints_faults": "import faulthandler, os\nfaulthandler.enable()\nprint('S', flush=True)\nos.abort()",
    "traces": (
        "import sys\nseen = []\nsys.settrace(lambda f, e, a: seen.append(f.f_code.co_name))\n"
        "def go(): pass\ngo()\nsys.settrace(None)\nprint(seen)"
    ),
    "is_deeply_nested": "".join(" " * n + "for _ in 'a':\n" for n in range(20))
    + " " * 20
    + "print('S')",
}
