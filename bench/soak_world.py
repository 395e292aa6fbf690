"""The world of bench/soak: a made web, a network of its own, a small disk and a clock that can be set.

Nothing here knows what a crawl promises; bench/soak disturbs, bench/soak_check.py judges.
"""
import os, random, shutil, signal, socket, struct, subprocess, threading, time

# 20 loopback hosts, each asked once in DELAY seconds: at most five pages a second, which leaves most of a core idle.
HOSTS, DELAY, TOPIC = 20, 4, 'lighthouse beacon harbour keeper fog lantern'
BUSY = 'retry-seconds.test,recovers.test,busy.test,retry-always.test'  # exhibits that ask the crawler to come back later


class World:
    def __init__(self, programs, work, pages, seconds, seed):
        self.programs, self.work = programs, work
        self.disk, self.clock, self.filler = f'{work}/disk', f'{work}/clock', f'{work}/disk/filler'
        os.makedirs(self.disk, exist_ok=True)
        # 60 kB a page: several times what a page takes in archive, catalogue, state and index, since SQLite and RocksDB rewrite files.
        self.has_disk = subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={200 + pages // 16}m', 'soak', self.disk],
                                       capture_output=True).returncode == 0
        self.name = f'soak-{os.getpid()}'
        self.has_network = all(subprocess.run(line.split(), capture_output=True).returncode == 0 for line in (
            f'ip netns add {self.name}', f'ip -n {self.name} link set lo up'))
        self.inside = ['ip', 'netns', 'exec', self.name] if self.has_network else []
        self.set_clock(0)
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            self.port = free.getsockname()[1]
        self.web = ['--pages', str(pages), '--good-hosts', str(HOSTS), '--seed', str(seed), '--latency', '50ms', '--retry-after', '5',
                    '--only', BUSY]
        self.requests, listing = f'{work}/requests.tsv', f'{work}/web'
        with open(listing, 'w') as out:
            self.server = subprocess.Popen([*self.inside, programs.hostile_web, '--port', str(self.port), '--seconds', str(seconds), *self.web,
                                            '--hosts', '--pages-to-fetch', '--log', self.requests], stdout=out)
        while f'/pages/{pages - 1}.html' not in open(listing).read():
            if self.server.poll() is not None: raise SystemExit('bench/soak: the server did not start')
            time.sleep(0.1)
        self.hosts = [line.split() for line in open(listing) if '.test 127.' in line]
        self.start = f'http://h1.test:{self.port}/'

    def crawl(self, out):
        where = [word for host, address in self.hosts for word in ('--resolve', f'{host}={address}', '--allow-host', host)]
        return [*self.inside, self.programs.dowser, 'crawl', '--seed', self.start,
                *(word for host, _ in self.hosts if not host.startswith('h') for word in ('--seed', f'http://{host}:{self.port}/')),
                '--topic', TOPIC, '--max-pages', '10000000', '--delay', f'{DELAY}s', *where, '--out', out]

    def resume(self, out, *more): return [*self.inside, self.programs.dowser, 'resume', out, *more]

    def with_clock(self): return {**os.environ, 'LD_PRELOAD': self.programs.wall_clock, 'DOWSER_WALL_CLOCK': self.clock}

    def set_clock(self, seconds):
        """In place, since the crawler has the file in its memory."""
        with open(self.clock, 'r+b' if os.path.exists(self.clock) else 'wb') as file: file.write(struct.pack('q', seconds * 1_000_000))

    def cut_network(self):
        if self.has_network: subprocess.run(['ip', '-n', self.name, 'link', 'set', 'lo', 'down'], check=True)
        else: self.server.send_signal(signal.SIGSTOP)

    def mend_network(self):
        if self.has_network: subprocess.run(['ip', '-n', self.name, 'link', 'set', 'lo', 'up'], check=True)
        else: self.server.send_signal(signal.SIGCONT)

    def fill_disk(self):
        with open(self.filler, 'wb') as file:
            step = 1 << 26
            while step >= 4096:
                try:
                    os.posix_fallocate(file.fileno(), file.tell(), step)
                    file.seek(step, os.SEEK_CUR)
                except OSError: step //= 2

    def free_disk(self):
        if os.path.exists(self.filler): os.remove(self.filler)

    def stop_server(self):
        if self.server.poll() is None:
            self.server.terminate()
            self.server.wait()

    def close(self):
        if self.server.poll() is None: self.server.kill()
        self.server.wait()
        if self.has_network: subprocess.run(['ip', 'netns', 'del', self.name], capture_output=True)
        if self.has_disk: subprocess.run(['umount', '-l', self.disk], capture_output=True)


class Neighbours:
    """Other programs at the same crawl: writers that hold its catalogue, readers, and people who write notes. One thread each."""

    def __init__(self, world, folder, report, event):
        self.world, self.folder, self.report, self.event = world, folder, report, event
        self.catalogue = f'{folder}/catalogue.sqlite'
        self.notes, self.counts, self.full, self.threads = [], {}, [], []
        self.holding, self.begin = threading.Lock(), time.time()

    def start(self, action, *values):
        self.threads = [t for t in self.threads if t.is_alive()]
        if len(self.threads) >= 3: return
        thread = threading.Thread(target=action, args=values, daemon=True)
        thread.start()
        self.threads.append(thread)

    def wait(self):
        for thread in self.threads: thread.join()

    def count(self, what): self.counts[what] = self.counts.get(what, 0) + 1

    def hold(self, sql, seconds):
        """A writer holds the lock; a crawl waits five seconds for it, so one holder at a time and a pause after each."""
        script = ('import sqlite3, sys, time\n'
                  'base = sqlite3.connect(sys.argv[1], timeout=10, isolation_level=None)\n'
                  'base.execute(sys.argv[2]).fetchall(); time.sleep(float(sys.argv[3]))')
        if not os.path.exists(self.catalogue) or not self.holding.acquire(blocking=False): return
        try:
            # It is a program of its own: a process that closes a file gives up all its locks on it.
            self.event('lock', f'{sql} {seconds:.2f}')
            ran = subprocess.run(['python3', '-c', script, self.catalogue, sql, str(seconds)], capture_output=True, text=True)
            self.event('unlock', sql)
            self.count(sql.split('(')[0] if ran.returncode == 0 else f'{sql} in vain')
            time.sleep(1)
        finally: self.holding.release()

    def disk_was_full(self, since): return any(end is None or end > since for _, end in self.full)

    def run(self, what, line, seconds=180):
        """The output, or None where it failed. That is only right while the disk is full, and then with a sentence."""
        since = time.time()
        try: ran = subprocess.run([self.world.programs.dowser, *line], capture_output=True, text=True, timeout=seconds, errors='replace')
        except subprocess.TimeoutExpired:
            self.report(f'{what}: no end after {seconds} s: {" ".join(line)}')
            return None
        lines = [l for l in ran.stderr.splitlines() if l.strip()]
        if ran.returncode == 0:
            self.count(what)
            return ran.stdout
        if ran.returncode == 1 and since < self.begin + 15 and ('has not fetched' in ran.stderr or 'No such file' in ran.stderr): self.count(f'{what} came too early')
        elif ran.returncode == 1 and self.disk_was_full(since) and len(lines) >= 1: self.count(f'{what} refused, disk full')
        else: self.report(f'{what}: exit {ran.returncode}: {" ".join(line)}: {" | ".join(lines[-4:])}{ran.stdout[-300:] if what == "check" else ""}')
        return None

    def read(self, kind):
        if not os.path.exists(self.catalogue): return
        lines = {'export': ['export', self.folder, '--relevant', '--format', 'csv'],
                 'explain': ['explain', self.folder, self.world.start], 'search': ['search', self.folder, 'lighthouse AND fog'],
                 'stats': ['stats', self.folder, '--json'], 'check': ['check', self.folder]}
        if kind in lines: self.run(kind, lines[kind])
        else:
            ran = subprocess.run(['sqlite3', '-cmd', '.timeout 5000', f'file:{self.catalogue}?mode=ro', 'SELECT count(*), sum(bytes) FROM pages'],
                                 capture_output=True, text=True)
            self.count('sqlite3')
            if ran.returncode and not self.disk_was_full(time.time() - 5): self.report(f'sqlite3: {ran.stderr.strip()}')

    def note(self, text):
        """A note counts once the program has said that it is written."""
        if not os.path.exists(self.catalogue): return
        if self.run('annotate', ['annotate', self.folder, self.world.start, text]) is not None: self.notes.append(text)
