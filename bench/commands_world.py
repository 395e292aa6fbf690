"""What bench/commands attacks: made inputs, one finished crawl, and every command that works on them.

All inputs are made by the tests' own tests/docs/made_data.py. Commands run in a trial folder, a copy of all of it, with relative names,
so that a line that failed can be typed again in the folder that --keep leaves.
"""
import gzip, hashlib, json, os, pathlib, re, resource, shutil, signal, sqlite3, subprocess, sys, time

NOTE = 'https://www.sqlite.org/lang_savepoint.html'
# Everything that belongs to the user and lies where commands work. The commands may not touch any of it.
OWN = {'crawl/mine.txt': 'years of work\n', 'crawl/archive/mine.txt': 'my list of these files\n', 'mine.txt': 'letters\n'}

COMMANDS = """
search:             search crawl transaction
first search:       search bare transaction
search html:        search crawl rollback --html found.html
search library:     search bare rollback --library lib.sqlite
annotate:           annotate crawl lang_savepoint.html NOTE --author Ada
annotate bare:      annotate bare lang_savepoint.html NOTE --author Ada
library build:      library build crawl
library add:        library add bare paper.txt
library remove:     library remove crawl added.txt
rejudge:            rejudge crawl --threshold 0.2
rejudge topic:      rejudge crawl --topic "deadlock lock" --json
rank:               rank crawl --csv ranks.csv --graphml ranks.graphml
rank archive:       rank schools.warc.gz --csv schools.csv
diff:               diff older crawl --to changes.html
topics:             topics transaction --from crawl --csv topics.csv --html topics.html
topics index:       topics bird --from schools.warc.gz --index topics.sqlite
usage:              usage access.log access.log.1.gz --site example.org --out usage
usage sessions:     usage access.log --sessions usage.sessions --web schools.warc.gz
session import:     session import clicks.tsv.gz --web schools.warc.gz --goals add --to new.sessions
session har:        session import browsing.har --useful http://web.test/b --to har.sessions
session graph:      session graph schools.sessions --to graph.svg
session show:       session show schools.sessions
learn hmm:          learn hmm schools.sessions --to hmm.json --report hmm.html
learn bayes:        learn bayes --labels webkb-labels.tsv --web webkb.warc.gz --good student --to bayes.json
learn svm:          learn svm --labels webkb-labels.tsv --web webkb.warc.gz --good student --to svm.json
learn rbf-svm:      learn rbf-svm --labels webkb-labels.tsv --web webkb.warc.gz --good student --to rbf.json
learn w-bayes:      learn weighted-bayes --labels webkb-labels.tsv --web webkb.warc.gz --good student --to weighted.json
learn signatures:   learn signatures --training texts --background others --to learned
signature keywords: signature keywords --training texts --background others --to new-groups
signature learn:    signature learn --keywords groups --training texts --to new-library
signature hits:     signature hits --library library --documents texts --to new.hadf new.csv
signature refine:   signature refine --library library --hits texts.hadf --to refined
signature cluster:  signature cluster texts.hadf --clusters 2 --svg texts.svg --arff texts-clusters.arff
export jsonl:       export crawl --to pages.jsonl
export csv:         export crawl --format csv --table links --to links.csv
export hadf:        export signed --format hadf --to pages.hadf
export arff:        export signed --format arff --to pages.arff
export graphml:     export crawl --format graphml --to pages.graphml
export gexf:        export older crawl --format gexf --to pages.gexf
stats:              stats crawl --html statistics.html
judge:              judge page.html --model model.json
inspect model:      inspect model hmm-model.json
explain:            explain crawl https://www.sqlite.org/index.html
crawl model:        crawl --web schools.warc.gz --model model.json --seed http://schools-wikipedia.org/wp/e/Europe.htm --max-pages 20 --out made
crawl toml:         crawl --config settings.toml --out made
resume:             resume crawl --max-pages 100
check:              check crawl
repair:             check crawl --repair
"""


def parsed(text):
    import shlex
    table = {}
    for line in text.strip().splitlines():
        name, _, words = line.partition(':')
        table[name] = shlex.split(words)
    return table


LINES = parsed(COMMANDS)
CRAWLS = ('crawl', 'bare', 'older', 'signed')


class Failed(Exception): """A command does not work although nobody disturbs it."""


class Ran:
    def __init__(self, code, out, err, seconds, megabytes): self.code, self.out, self.err, self.seconds, self.megabytes = code, out, err, seconds, megabytes

    def lines(self): return [l for l in self.err.splitlines() if l.strip()]


class World:
    def __init__(self, root, dowser, work, seed):
        self.root, self.dowser, self.work, self.seed, self.base = root, dowser, work, seed, f'{work}/base'
        os.makedirs(work, exist_ok=True)
        if not os.path.exists(f'{self.base}/.complete'): self.make()

    def must(self, *words):
        ran = subprocess.run([self.dowser, *words], cwd=self.base, capture_output=True, text=True)
        if ran.returncode: sys.exit(f'bench/commands: {" ".join(words)}\n{ran.stderr}')

    def make(self):
        sys.path.insert(0, f'{self.root}/tests/docs')
        import made_data
        # Crawls note absolute names, so all of this is made where the trials will be, and then moved away.
        final, self.base = self.base, f'{self.work}/trial'
        shutil.rmtree(self.base, ignore_errors=True)
        base = pathlib.Path(self.base)
        made_data.make(self.dowser, base, pathlib.Path(self.root))
        shutil.rmtree(base / '.webs')
        os.rename(base / 'build/quickstart/web.warc.gz', base / 'web.warc.gz')
        os.rename(base / 'schools-sessions.tsv.gz', base / 'clicks.tsv.gz')
        for name in ('build', 'paper.pdf', 'thesis.ps.gz', 'content.rdf.u8.gz', 'robots.txt', 'miniweb.warc.gz'):
            path = base / name
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        (base / 'paper.txt').write_text('\n\n'.join(made_data.PAPER))
        (base / 'added.txt').write_text('\n\n'.join(made_data.PAPER[1:]))
        (base / 'browsing.har').write_text(json.dumps(har()))
        topic = ['--topic', 'transaction commit rollback isolation lock', '--web', 'web.warc.gz']
        seeds = [w for s in ('docs.python.org/3', 'www.sqlite.org', 'www.postgresql.org/docs/15') for w in ('--seed', f'https://{s}/index.html')]
        self.must('crawl', *topic, *seeds, '--max-pages', '80', '--out', 'crawl')
        self.must('crawl', *topic, *seeds, '--max-pages', '45', '--out', 'older')
        (base / 'settings.toml').write_text((base / 'older/crawl.toml').read_text())
        shutil.copytree(base / 'crawl', base / 'bare')
        self.must('session', 'import', 'clicks.tsv.gz', '--web', 'schools.warc.gz', '--to', 'schools.sessions')
        self.must('learn', 'bayes', '--labels', 'schools-labels.tsv', '--web', 'schools.warc.gz', '--good', 'birds', '--to', 'model.json')
        self.must('learn', 'hmm', 'schools.sessions', '--to', 'hmm-model.json')
        self.must('signature', 'keywords', '--training', 'texts', '--background', 'others', '--to', 'groups')
        self.must('signature', 'learn', '--keywords', 'groups', '--training', 'texts', '--to', 'library')
        self.must('signature', 'hits', '--library', 'library', '--documents', 'texts', '--to', 'texts.hadf')
        self.must('crawl', '--web', 'schools.warc.gz', '--seed', 'http://schools-wikipedia.org/wp/e/Europe.htm', '--model', 'library',
                  '--max-pages', '25', '--out', 'signed')
        self.must('search', 'crawl', 'transaction')
        self.must('annotate', 'crawl', 'lang_savepoint.html', 'the first note', '--author', 'Ada')
        self.must('library', 'add', 'crawl', 'added.txt')
        for name, text in OWN.items(): (base / name).write_text(text)
        (base / '.complete').write_text('')
        shutil.rmtree(final, ignore_errors=True)
        os.rename(self.base, final)
        self.base = final

    def trial(self):
        folder = f'{self.work}/trial'
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.base, folder, symlinks=True)
        os.remove(f'{folder}/.complete')
        return folder

    def command(self, name, note='a note'): return [note if w == 'NOTE' else w for w in LINES[name]]

    def start(self, line, folder, env=None):
        # In a group of its own, so that nothing that it starts outlives it. 16 GB protect the machine, not the test.
        def limits():
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        out, err = open(f'{folder}.out', 'w+b'), open(f'{folder}.err', 'w+b')
        process = subprocess.Popen([self.dowser, *line], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   env={**os.environ, **(env or {})}, preexec_fn=limits)
        process.files, process.began = (out, err), time.time()
        return process

    def finish(self, process, seconds=60):
        """The end of a process. A code of None says that it did not end in time."""
        end, code = time.time() + seconds, None
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                break
            if time.time() > end:
                os.killpg(process.pid, signal.SIGKILL)
                used = os.wait4(process.pid, 0)[2]
                break
            time.sleep(0.002)
        process.returncode = code if code is not None else -9
        texts = []
        for file in process.files:
            file.seek(0)
            texts.append(file.read(4 << 20).decode(errors='replace'))
            file.close()
        return Ran(code, *texts, time.time() - process.began, used.ru_maxrss / 1024)

    def run(self, line, folder, env=None, seconds=60): return self.finish(self.start(line, folder, env), seconds)

    def unsound(self, folder, *lines):
        """What `dowser check` says of the crawls that the command lines name; empty where all is well."""
        for crawl in CRAWLS:
            if not any(crawl in line for line in lines): continue
            ran = self.run(['check', crawl], folder)
            if ran.code != 0: return f'dowser check {crawl}: exit {ran.code}: {(ran.out + ran.err).strip()[-600:]}'
        return ''

    def notes(self, folder, crawl='crawl'):
        ran = self.run(['annotate', crawl, '--list', '--json'], folder)
        try: return [note['text'] for note in json.loads(ran.out)]
        except ValueError: return []


def har():
    """What a browser's developer tools save of three pages."""
    def entry(path, second): return {'startedDateTime': f'2026-11-01T10:00:{second:02d}.000Z', 'pageref': f'page_{second}',
        'request': {'method': 'GET', 'url': f'http://web.test/{path}', 'headers': []},
        'response': {'status': 200, 'headers': [{'name': 'Content-Type', 'value': 'text/html'}], 'content': {'mimeType': 'text/html',
            'text': f'<title>{path}</title><p>a page about lighthouses <a href="/{chr(ord(path) + 1)}">next</a>'}}}
    return {'log': {'version': '1.2', 'creator': {'name': 'made', 'version': '1'},
                    'pages': [{'id': f'page_{i}', 'startedDateTime': f'2026-11-01T10:00:{i:02d}.000Z', 'title': c, 'pageTimings': {}}
                              for i, c in enumerate('abc')],
                    'entries': [entry(c, i) for i, c in enumerate('abc')]}}


def dump(path):
    """The tables of an SQLite file, by name; read from a copy, since reading may write beside it."""
    copy = f'{path}.copy-of-bench'
    for end in ('', '-wal'):
        if os.path.exists(path + end): shutil.copyfile(path + end, copy + end)
    base = sqlite3.connect(copy)
    try:
        base.text_factory = lambda text: text.decode(errors='replace')
        wrong = [r[0] for r in base.execute('PRAGMA integrity_check') if r[0] != 'ok']
        if wrong: return {'integrity_check': wrong[0]}
        tables = [r[0] for r in base.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%'")]
        return {t: hashlib.sha1(repr(base.execute(f'SELECT * FROM "{t}"').fetchall()).encode()).hexdigest() for t in tables}
    except (sqlite3.Error, UnicodeDecodeError) as e: return {'integrity_check': str(e)}
    finally:
        base.close()
        for end in ('', '-wal', '-shm', '-journal'):
            if os.path.exists(copy + end): os.remove(copy + end)


def fingerprint(folder):
    """Path -> what is there. Databases count by their tables; the files of RocksDB are left to `dowser check`."""
    found = {}
    for where, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = os.path.join(where, name)
            short = os.path.relpath(path, folder)
            if '/state/' in short or short.endswith(('-wal', '-shm', '-journal')): continue
            if os.path.islink(path): found[short] = 'link ' + os.readlink(path)
            elif os.path.isdir(path): found[short] = 'folder'
            elif not os.path.isfile(path): found[short] = 'special'
            else:
                with open(path, 'rb') as file: content = file.read()
                if content.startswith(b'SQLite format 3\0'):
                    for table, rows in dump(path).items(): found[f'{short}#{table}'] = rows
                    found[short] = 'database'
                else: found[short] = hashlib.sha1(content).hexdigest()
    return found


class Expected:
    """What a command leaves when nobody disturbs it: run twice, so that what differs is known to depend on the time."""

    def __init__(self, world, name):
        line = world.command(name)
        sides, self.seconds = [], 0
        for _ in range(2):
            folder = world.trial()
            self.before = fingerprint(folder)
            ran = world.run(line, folder)
            if ran.code != 0: raise Failed(f'undisturbed, {" ".join(line)} ended with {ran.code}: {ran.err}{ran.out[-500:]}')
            self.seconds = max(self.seconds, ran.seconds)
            sides.append(fingerprint(folder))
            time.sleep(1.01)
        first, self.after = sides
        self.varies = {p for p in first.keys() | self.after.keys() if first.get(p) != self.after.get(p)}
        self.changed = {p for p in self.before.keys() | self.after.keys() if self.before.get(p) != self.after.get(p)} | self.varies
        self.new = {p for p in self.after if p not in self.before}

    def touched(self, found):
        """Files that the command has no business with, and that are not as they were."""
        return [p for p, was in self.before.items() if p not in self.changed and found.get(p) != was]

    def half_written(self, found):
        """Files with a final name that are neither as before nor as an undisturbed run leaves them. (An empty file is an empty database.)"""
        empty = hashlib.sha1(b'').hexdigest()
        return [p for p in self.changed - self.varies if p in found and '#' not in p and found[p] not in (self.before.get(p), self.after.get(p))
                and not (found[p] == empty and p.endswith('annotations.sqlite'))]

    def missing(self, found):
        """What differs from an undisturbed run, where that does not depend on the time."""
        return [p for p, want in self.after.items() if (p not in self.varies and found.get(p) != want) or p not in found]
