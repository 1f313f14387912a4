"""Functions that try to change what is outside of a run's folder: ways to do so, times paths to it, times threads.

Every function is made from one line of Python, in which FILE, NEW, FOLDER and LINK stand for paths outside; its own
folder holds `mine`, a file, and `tree`, a folder with one.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

import torch

PLAIN = {
    "open w": "open(FILE, 'w').write('x')",
    "open a": "open(FILE, 'a').write('x')",
    "open r+": "open(FILE, 'r+').write('x')",
    "open x": "open(NEW, 'x').write('x')",
    "os.open": "os.close(os.open(FILE, os.O_WRONLY | os.O_TRUNC))",
    "os.open create": "os.close(os.open(NEW, os.O_CREAT | os.O_RDWR))",
    "remove": "os.remove(FILE)",
    "rmtree": "shutil.rmtree(FOLDER)",
    "mkdir": "os.makedirs(NEW + '/a/b')",
    "rename out": "os.rename('mine', NEW)",
    "rename in": "os.rename(FILE, 'stolen')",
    "replace": "os.replace('mine', FILE)",
    "hard link, then write": "os.link(FILE, 'twin'); open('twin', 'w').write('x')",
    "symlink": "os.symlink('mine', NEW)",
    "symlink, then write": "os.symlink(FILE, 'alias'); open('alias', 'w').write('x')",
    "truncate": "os.truncate(FILE, 0)",
    "chmod": "os.chmod(FILE, 0o600)",
    "utime": "os.utime(FILE, (1, 1))",
    "mkfifo": "os.mkfifo(NEW)",
    "copyfile": "shutil.copyfile('mine', FILE)",
    "torch.save": "torch.save(torch.ones(2), FILE)",
    "torch.jit.save": "torch.jit.save(torch.jit.script(torch.nn.Linear(1, 1)), FILE)",
    "from_file": "torch.from_file(FILE, shared=True, size=2, dtype=torch.uint8).fill_(0)",
    "sqlite3": "sqlite3.connect(FILE).execute('create table t(a)')",
}
"""Ways that are tried with every kind of path, and in every kind of thread."""

OTHERS = {
    "io.FileIO": "io.FileIO(FILE, 'w').write(b'x')",
    "write_text": "pathlib.Path(FILE).write_text('x')",
    "touch": "pathlib.Path(NEW).touch()",
    "touch what is there": "pathlib.Path(FILE).touch()",
    "pathlib unlink": "pathlib.Path(FILE).unlink()",
    "pathlib rename": "pathlib.Path(FILE).rename(NEW)",
    "pathlib hardlink_to": "pathlib.Path('twin').hardlink_to(FILE)",
    "unlink a link": "os.unlink(LINK)",
    "rmdir": "os.rmdir(FOLDER + '/empty')",
    "removedirs": "os.removedirs(FOLDER + '/empty')",
    "copy": "shutil.copy('mine', FOLDER)",
    "copy2": "shutil.copy2('mine', NEW)",
    "copytree": "shutil.copytree('tree', NEW)",
    "copystat": "shutil.copystat('mine', FILE)",
    "copymode": "shutil.copymode('mine', FILE)",
    "move out": "shutil.move('mine', NEW)",
    "move in": "shutil.move(FILE, 'stolen')",
    "move a folder": "shutil.move(FOLDER, 'stolen')",
    "make_archive": "shutil.make_archive(NEW, 'zip', 'tree')",
    "unpack_archive": "shutil.unpack_archive(shutil.make_archive('packed', 'zip', 'tree'), FOLDER)",
    "chown": "os.chown(FILE, 1, 1)",
    "lchown": "os.lchown(LINK, 1, 1)",
    "setxattr": "os.setxattr(FILE, 'user.a', b'1')",
    "removexattr": "os.removexattr(FILE, 'user.kept')",
    "mknod": "os.mknod(NEW)",
    "fchmod": "os.fchmod(os.open(FILE, os.O_RDONLY), 0o600)",
    "chmod a descriptor": "os.chmod(os.open(FILE, os.O_RDONLY), 0o600)",
    "fchown": "os.fchown(os.open(FILE, os.O_RDONLY), 1, 1)",
    "utime of a descriptor": "os.utime(os.open(FILE, os.O_RDONLY), (1, 1))",
    "setxattr of a descriptor": "os.setxattr(os.open(FILE, os.O_RDONLY), 'user.a', b'1')",
    "open at a folder": "os.close(os.open('kept', os.O_WRONLY | os.O_TRUNC, dir_fd=os.open(FOLDER, os.O_RDONLY)))",
    "create at a folder": "os.close(os.open('made', os.O_CREAT | os.O_WRONLY, dir_fd=os.open(FOLDER, os.O_RDONLY)))",
    "unlink at a folder": "os.unlink('kept', dir_fd=os.open(FOLDER, os.O_RDONLY))",
    "mkdir at a folder": "os.mkdir('made', dir_fd=os.open(FOLDER, os.O_RDONLY))",
    "mkfifo at a folder": "os.mkfifo('made', dir_fd=os.open(FOLDER, os.O_RDONLY))",
    "rename at a folder": "os.rename('kept', 'other', src_dir_fd=(d := os.open(FOLDER, os.O_RDONLY)), dst_dir_fd=d)",
    "link at a folder": "os.link('kept', 'twin', src_dir_fd=os.open(FOLDER, os.O_RDONLY))",
    "symlink at a folder": "os.symlink('kept', 'made', dir_fd=os.open(FOLDER, os.O_RDONLY))",
    "chmod at a folder": "os.chmod('kept', 0o600, dir_fd=os.open(FOLDER, os.O_RDONLY))",
    "utime at a folder": "os.utime('kept', (1, 1), dir_fd=os.open(FOLDER, os.O_RDONLY))",
    "fwalk": "[os.unlink(n, dir_fd=fd) for _, _, names, fd in os.fwalk(FOLDER) for n in names]",
    "open by descriptor": "open('/proc/self/fd/%d' % os.open(FILE, os.O_RDONLY), 'w')",
    "mmap": "mmap.mmap(os.open(FILE, os.O_RDWR), 4)[0:1]",
    "copy_file_range": "os.copy_file_range(os.open('mine', 0), os.open(FILE, os.O_WRONLY), 1)",
    "sendfile": "os.sendfile(os.open(FILE, os.O_WRONLY), os.open('mine', 0), 0, 1)",
    "opener": "open('mine', 'w', opener=lambda _, flags: os.open(FILE, flags)).write('x')",
    "named temporary file": "tempfile.NamedTemporaryFile(dir=FOLDER, delete=False)",
    "mkdtemp": "tempfile.mkdtemp(dir=FOLDER)",
    "pickle": "pickle.dump(1, open(FILE, 'wb'))",
    "shelve": "shelve.open(NEW)['a'] = 1",
    "dbm.dumb": "importlib.import_module('dbm.dumb').open(NEW, 'c')['a'] = 'b'",
    "dbm.gnu": "importlib.import_module('dbm.gnu').open(NEW, 'c')",
    "dbm.ndbm": "importlib.import_module('dbm.ndbm').open(NEW, 'c')",
    "logging": "logging.FileHandler(FILE).emit(logging.makeLogRecord({'msg': 'x'}))",
    "logging, rotating": "importlib.import_module('logging.handlers').RotatingFileHandler(FILE).doRollover()",
    "zipfile": "zipfile.ZipFile(NEW, 'w').writestr('a', 'b')",
    "zipfile extract": "zipfile.ZipFile(shutil.make_archive('packed', 'zip', 'tree')).extractall(FOLDER)",
    "tarfile": "tarfile.open(NEW, 'w').add('mine')",
    "gzip": "gzip.open(FILE, 'wb').write(b'x')",
    "bz2": "bz2.open(FILE, 'wb').write(b'x')",
    "lzma": "lzma.open(FILE, 'wb').write(b'x')",
    "fileinput": "[print('x') for _ in fileinput.input(FILE, inplace=True)]",
    "wave": "wave.open(NEW, 'wb').setnchannels(1)",
    "py_compile": "importlib.import_module('py_compile').compile('mine', cfile=NEW, doraise=True)",
    "readline": "importlib.import_module('readline').write_history_file(NEW)",
    "faulthandler": "faulthandler.dump_traceback(open(FILE, 'w'))",
    "cProfile": "importlib.import_module('cProfile').run('1', FILE)",
    "tracemalloc": "tracemalloc.start(); tracemalloc.take_snapshot().dump(FILE)",
    "np.save": "numpy.save(FILE, numpy.ones(2))",
    "np.savez": "numpy.savez(FILE, numpy.ones(2))",
    "np.savetxt": "numpy.savetxt(FILE, numpy.ones(2))",
    "tofile": "numpy.ones(2).tofile(FILE)",
    "memmap w+": "numpy.memmap(FILE, mode='w+', shape=2)[:] = 1",
    "memmap r+": "numpy.memmap(FILE, mode='r+', shape=2)[:] = 1",
    "open_memmap": "numpy.lib.format.open_memmap(NEW, 'w+', shape=(2,))",
    "torch.save as of old": "torch.save(torch.ones(2), FILE, _use_new_zipfile_serialization=False)",
    "torch.save of a path": "torch.save(torch.ones(2), pathlib.Path(FILE))",
    "torch.save, new": "torch.save({'a': torch.ones(2)}, NEW)",
    "ScriptModule.save": "torch.jit.script(torch.nn.Linear(1, 1)).save(FILE)",
    "traced save": "torch.jit.trace(torch.nn.Linear(1, 1), torch.ones(1)).save(FILE)",
    "lite interpreter": "torch.jit.script(torch.nn.Linear(1, 1))._save_for_lite_interpreter(FILE)",
    "PyTorchFileWriter": "torch._C.PyTorchFileWriter(FILE).write_end_of_file()",
    "UntypedStorage.from_file": "torch.UntypedStorage.from_file(FILE, shared=True, nbytes=4).fill_(0)",
    "FloatStorage.from_file": "torch.FloatStorage.from_file(NEW, shared=True, size=2).fill_(0)",
    "from_file, new": "torch.from_file(NEW, shared=True, size=4).fill_(1)",
    "chrome trace": "p = torch.profiler.profile(); p.start(); torch.ones(2) + 1; p.stop(); p.export_chrome_trace(FILE)",
    "execution trace": "torch.profiler.ExecutionTraceObserver().register_callback(FILE).start()",
    "PackageExporter": "torch.package.PackageExporter(FILE).save_text('a', 'b', 'c')",
    "FileStore": "torch.distributed.FileStore(NEW, 1).set('a', 'b')",
    "memory snapshot": "torch.cuda.memory._dump_snapshot(FILE)",
    "hub": "torch.hub.set_dir(FOLDER); os.makedirs(torch.hub.get_dir() + '/hub')",
    "sqlite3 by URI": "sqlite3.connect('file:' + FILE + '?mode=rwc', uri=True).execute('create table t(a)')",
    "sqlite3 ATTACH": "sqlite3.connect(':memory:').execute(f\"attach '{NEW}' as o\").execute('create table o.t(a)')",
    "sqlite3 ATTACH what is there": (
        "c = sqlite3.connect(':memory:'); c.execute('attach ? as o', (DATABASE,)); c.execute('drop table o.kept')"
    ),
    "sqlite3 VACUUM INTO": "sqlite3.connect(':memory:').execute(f\"vacuum into '{NEW}'\")",
    "sqlite3 of a database": "c = sqlite3.connect(DATABASE); c.execute('delete from kept'); c.commit()",
    "sqlite3 backup": "c = sqlite3.connect(DATABASE); sqlite3.connect(':memory:').backup(c)",
    "os.system": "os.system(f'echo x > {FILE}')",
    "subprocess": "subprocess.run(['rm', FILE])",
    "fork": "os.fork() or open(FILE, 'w').write('x')",
    "multiprocessing": "multiprocessing.Process(target=os.remove, args=(FILE,)).start()",
    "C open": "ctypes.CDLL(None).open(FILE.encode(), os.O_WRONLY | os.O_TRUNC)",
    "C unlink": "ctypes.CDLL(None).unlink(FILE.encode())",
    "C rename": "ctypes.CDLL(None).rename(FILE.encode(), NEW.encode())",
    "C chmod": "ctypes.CDLL(None).chmod(FILE.encode(), 0o600)",
    "C fopen": "ctypes.CDLL(None).fopen(FILE.encode(), b'w')",
    "C open by the parent's root": (
        "ctypes.CDLL(None).open(f'/proc/{os.getppid()}/root{FILE}'.encode(), os.O_WRONLY | os.O_TRUNC)"
    ),
    "C setns": (
        "c = ctypes.CDLL(None); c.setns(c.open(f'/proc/{os.getppid()}/ns/mnt'.encode(), 0), 0); "
        "c.open(FILE.encode(), os.O_WRONLY | os.O_TRUNC)"
    ),
    "C umount": "c = ctypes.CDLL(None); c.umount2(b'/', 2); c.open(FILE.encode(), os.O_WRONLY | os.O_TRUNC)",
    "C symlink": "ctypes.CDLL(None).symlink(b'/etc', NEW.encode())",
    "C mkdir": "ctypes.CDLL(None).mkdir(NEW.encode(), 0o755)",
    "C truncate": "ctypes.CDLL(None).truncate(FILE.encode(), 0)",
    "C open by the descriptors of the parent": (
        "c = ctypes.CDLL(None); "
        "[c.ftruncate(c.open(f'/proc/{os.getppid()}/fd/{n}'.encode(), os.O_WRONLY), 0) for n in range(64)]; "
        "c.open(FILE.encode(), os.O_WRONLY | os.O_TRUNC)"
    ),
    "C open by the first process": ("ctypes.CDLL(None).open(f'/proc/1/root{FILE}'.encode(), os.O_WRONLY | os.O_TRUNC)"),
    "posix_spawn": "os.posix_spawn('/bin/rm', ['rm', FILE], {})",
    "exec of a program": "os.execv('/bin/rm', ['rm', FILE])",
    "chdir, then write": "os.chdir(FOLDER); open('kept', 'w').write('x')",
    "fchdir, then remove": "os.fchdir(os.open(FOLDER, os.O_RDONLY)); os.remove('kept')",
    "coroutine": "asyncio.run(asyncio.to_thread(os.remove, FILE))",
    "destructor": "type('D', (), {'__del__': lambda self: os.remove(FILE)})()",
    "signal handler": "signal.signal(signal.SIGUSR1, lambda *_: os.remove(FILE)); os.kill(os.getpid(), signal.SIGUSR1)",
    "trace function": "sys.settrace(lambda *_: sys.settrace(None) or os.remove(FILE)); (lambda: 0)()",
    "hook of a tensor": (
        "x = torch.ones(1, requires_grad=True); x.register_hook(lambda g: os.remove(FILE)); x.sum().backward()"
    ),
    "import of a file": "open('evil.py', 'w').write(f'open({FILE!r}, \"w\")'); sys.path.insert(0, '.'); import evil",
    "exec": "exec(compile(f'open({FILE!r}, \"w\")', 'x', 'exec'))",
    "shared memory": "multiprocessing.shared_memory.SharedMemory('inplace_hostile', create=True, size=8)",
    "shared tensor": "torch.multiprocessing.set_sharing_strategy('file_system'); torch.ones(9).share_memory_()",
    "ioctl": "fcntl.ioctl(os.open(FILE, os.O_RDONLY), 0x40086602, struct.pack('l', 0x40))",
    "PIL": "__import__('PIL.Image').Image.new('L', (2, 2)).save(FILE, 'PNG')",
}
"""Ways that are tried once."""

LASTING = {
    "nested folders": "[(os.mkdir('d'), os.chdir('d')) for _ in range(1100)]",
    "locked folders": "os.makedirs('a/b/c'); os.chmod('a/b', 0); os.chmod('a', 0)",
    "System V memory": "ctypes.CDLL(None).shmget(0x5EED, 1 << 20, 0o1666)",
    "System V semaphores": "ctypes.CDLL(None).semget(0x5EED, 1, 0o1666)",
    "a System V queue": "ctypes.CDLL(None).msgget(0x5EED, 0o1666)",
    "the worker stopped": "ctypes.CDLL(None).kill(os.getppid(), 19)",
    "the worker traced": "ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)",
}
"""Ways to leave something behind, or to keep the worker from answering, where there is a namespace: tried once."""

KERNEL_ONLY = {
    "C open": "the C library is asked directly",
    "C unlink": "the C library is asked directly",
    "C rename": "the C library is asked directly",
    "C chmod": "the C library is asked directly",
    "C fopen": "the C library is asked directly",
    "C open by the parent's root": "the C library is asked directly",
    "C symlink": "the C library is asked directly",
    "C mkdir": "the C library is asked directly",
    "C truncate": "the C library is asked directly",
    "C open by the descriptors of the parent": "the C library is asked directly",
    "C open by the first process": "the C library is asked directly",
    "C setns": "the C library is asked directly",
    "C umount": "the C library is asked directly",
    "readline": "Python has no audit event for it before 3.13",
}
"""Ways that only the kernel can hold back, and why."""

PATHS = {
    "absolute": "BASE = OUT",
    "relative": "BASE = os.path.relpath(OUT)",
    "through /proc/self/root": "BASE = '/proc/self/root' + OUT",
    "through /proc/self/cwd": "BASE = '/proc/self/cwd/' + os.path.relpath(OUT)",
    "through a link": "os.symlink(OUT, 'way'); BASE = 'way'",
    ".. through a link": "os.symlink(OUT + '/folder', 'way'); BASE = 'way/..'",
    "from another folder": "os.chdir(OUT + '/folder'); BASE = '..'",
}
"""Ways to name the folder outside."""

THREADS = {
    "Thread": "t = threading.Thread(target=go); t.start(); t.join()",
    "ThreadPoolExecutor": "concurrent.futures.ThreadPoolExecutor().submit(go).result()",
    "two threads": (
        "ts = [threading.Thread(target=go), threading.Thread(target=list, args=(range(10**5),))]; "
        "[t.start() for t in ts]; [t.join() for t in ts]"
    ),
    "_thread": (
        "ended = _thread.allocate_lock(); ended.acquire()\n"
        "def go_and_say_so():\n    try:\n        go()\n    finally:\n        ended.release()\n"
        "_thread.start_new_thread(go_and_say_so, ()); ended.acquire()"
    ),
}

MODULES = """
_thread asyncio bz2 concurrent.futures ctypes faulthandler fcntl fileinput gzip importlib io logging lzma mmap
multiprocessing multiprocessing.shared_memory numpy os pathlib pickle shelve shutil signal sqlite3 struct subprocess sys
tarfile tempfile threading time torch torch.distributed torch.package torch.profiler tracemalloc wave zipfile
""".split()


@dataclass(frozen=True)
class Hostile:
    """One function: what it tries, by which path, in which thread."""

    way: str
    line: str
    path: str = "absolute"
    thread: str = "main"

    @property
    def name(self) -> str:
        return f"{self.way}, {self.path}, {self.thread}"

    def text(self, outside: Path) -> str:
        """A file with this function, `f`."""
        body = [
            "open('mine', 'w').write('mine')",
            "os.mkdir('tree'); open('tree/leaf', 'w').write('leaf')",
            f"OUT = {str(outside)!r}",
            PATHS[self.path],
            "FILE, NEW, FOLDER, LINK, DATABASE = (BASE + '/' + n for n in 'file new folder link database'.split())",
        ]
        if self.thread == "main":
            body.append(self.line)
        else:
            body += ["def go():", indent(self.line, "    "), THREADS[self.thread]]
        imports = "".join(f"import {module}\n" for module in MODULES)
        return f"{imports}\n\ndef f():\n{indent(chr(10).join(body), '    ')}\n"


def functions() -> Iterator[Hostile]:
    """All of them."""
    for way, line in PLAIN.items():
        yield from (Hostile(way, line, path) for path in PATHS)
        yield from (Hostile(way, line, thread=thread) for thread in THREADS)
    yield from (Hostile(way, line) for way, line in OTHERS.items())


def lasting() -> Iterator[Hostile]:
    """Those that would leave something behind."""
    yield from (Hostile(way, line) for way, line in LASTING.items())


def lay_out(outside: Path) -> None:
    """Fill the folder that nobody may change."""
    (outside / "folder" / "sub" / "deep").mkdir(parents=True)
    (outside / "folder" / "empty").mkdir()
    for name in ("file", "folder/kept", "folder/sub/kept", "folder/sub/deep/kept"):
        (outside / name).write_text("kept " * 20)
    os.setxattr(outside / "file", "user.kept", b"1")
    (outside / "link").symlink_to("file")
    with sqlite3.connect(outside / "database") as database:
        database.execute("create table kept(a)")
        database.execute("insert into kept values (1)")
    database.close()
    torch.save(torch.ones(2), outside / "model.pt")


def picture(outside: Path) -> dict[str, tuple[object, ...]]:
    """What is there: all that a change could be seen by, but for the time of the last reading."""
    seen: dict[str, tuple[object, ...]] = {}
    for path in sorted([outside, *outside.rglob("*")]):
        known = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() and not path.is_symlink() else ""
        attributes = tuple(os.listxattr(path, follow_symlinks=False))
        facts = (known.st_ino, known.st_mode, known.st_uid, known.st_nlink, known.st_mtime_ns, known.st_ctime_ns)
        seen[str(path.relative_to(outside))] = (*facts, content, attributes)
    return seen
