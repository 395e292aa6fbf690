"""Kills crawls of an archived web at random times and compares what they leave with undisturbed ones.

    kills_archive.py DOWSER KILLS SEED WEB...      (called by bench/kills --archive)

Every strategy of `dowser crawl`, with 1 and with 8 fetches in flight, with and without a delay. Of each crawl the
archive, the index and the tables pages, links and hosts must be the same, byte for byte.
Environment: PAGES (1500), SEEDS (addresses, separated by blanks), STRATEGIES, TOPIC, EXAMPLE (for strategies with back-links),
MODEL (of dowser learn hmm; without it the strategy hmm is left out), SETTINGS ("1:0 8:1s": fetches in flight and delay of each crawl,
default all four), MORE (more options of the crawls, "--documents yes"), TABLES (more tables to compare: "documents directories"),
NOTES=yes (a note is written after each kill, and must be there at the end), JOBS=N (only every N-th combination, from JOB=0 on, so that several can share the work).
"""
import glob, hashlib, json, os, random, re, shutil, signal, sqlite3, subprocess, sys, tempfile, time

dowser, kills, seed, *webs = sys.argv[1:]
kills = int(kills)
env = os.environ
pages = env.get('PAGES', '1500')
seeds = env.get('SEEDS', '').split()
topic = env.get('TOPIC', 'course student faculty research computer science')
example = env.get('EXAMPLE', seeds[0] if seeds else '')
model = env.get('MODEL', '')
tables = ('pages', 'links', 'hosts', *env.get('TABLES', '').split())
work = tempfile.mkdtemp(prefix='kills-')
rng = random.Random(int(seed))


def strategies():
    """As `dowser crawl` names them when it is asked for one that does not exist."""
    said = subprocess.run([dowser, 'crawl', '--web', webs[0], '--seed', 'http://x.test/', '--topic', 'x', '--strategy', 'none-such',
                           '--out', f'{work}/none'], capture_output=True, text=True).stderr
    return re.search(r'choose one of (.*)', said).group(1).replace('.', '').strip().split(', ')


def command(strategy, connections, delay, out, earlier):
    line = [dowser, 'crawl', *sum((['--web', w] for w in webs), []), *sum((['--seed', s] for s in seeds), []), '--topic', topic,
            '--strategy', strategy, '--max-pages', pages, '--connections', connections, '--delay', delay, '--sitemaps', 'yes', '--out', out,
            *env.get('MORE', '').split()]
    if strategy in ('context-graph', 'hmm-alldata'): line += ['--back-links', webs[0], '--example', example]
    if strategy == 'hmm': line += ['--model', model]
    if strategy == 'infospiders-db': line += ['--previous', earlier]
    return line


def run(line, seconds=None):
    """The exit code; -9 where it was killed after that time."""
    with open(f'{work}/messages', 'w') as messages:
        process = subprocess.Popen(line, stdout=messages, stderr=messages)
        try: return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            return process.wait()


def must(line):
    if run(line): sys.exit(f'{" ".join(line)}\n{open(f"{work}/messages").read()[-2000:]}')


def left_by(folder):
    left = {}
    for path in [f'{folder}/index.cdxj', *glob.glob(f'{folder}/archive/*')]:
        left[os.path.basename(path)] = hashlib.sha1(open(path, 'rb').read()).hexdigest()
    base = sqlite3.connect(f'file:{folder}/catalogue.sqlite?mode=ro', uri=True)
    for table in tables:
        left[table] = [repr(r) for r in base.execute(f'SELECT * FROM {table}')]
    left['redirected'] = base.execute('SELECT count(*) FROM pages WHERE url <> final_url').fetchone()[0]
    base.close()
    return left


def first_difference(a, b):
    for what in tables:
        if len(a[what]) != len(b[what]): return f'{what}: {len(a[what])} and {len(b[what])} rows'
        for n, (x, y) in enumerate(zip(a[what], b[what])):
            if x != y: return f'{what}, row {n}:\n    {x[:300]}\n    {y[:300]}'
    return ', '.join(k for k in a.keys() | b.keys() if a.get(k) != b.get(k))


def write_note(folder, text):
    """The note, in a list; none where nobody asked for notes or the crawl has not fetched its first page yet."""
    if env.get('NOTES') != 'yes': return []
    done = subprocess.run([dowser, 'annotate', folder, seeds[0], text], capture_output=True, text=True)
    return [text] if done.returncode == 0 else []


def notes_of(folder):
    if env.get('NOTES') != 'yes': return []
    said = subprocess.run([dowser, 'annotate', folder, '--list', '--json'], capture_output=True, text=True, check=True).stdout
    return [note['text'] for note in json.loads(said)]


def check(strategy, connections, delay, earlier):
    whole, killed = f'{work}/whole', f'{work}/killed'
    for folder in (whole, killed): shutil.rmtree(folder, ignore_errors=True)
    start = time.time()
    must(command(strategy, connections, delay, whole, earlier))
    took = time.time() - start
    done, code, patience, notes = 0, -9, took, []
    line = command(strategy, connections, delay, killed, earlier)
    while done < kills:
        code = run(line, patience * rng.random() * (0.5 if done else 0.8))
        if code == 0 and patience > took / 100:  # it ended before it was killed often enough: once more, and sooner
            done, patience, notes = 0, patience / 2, []
            shutil.rmtree(killed, ignore_errors=True)
            line = command(strategy, connections, delay, killed, earlier)
            continue
        if code == 0: break
        if code != -9: sys.exit(f'{strategy}: {" ".join(line)} ended with {code}\n{open(f"{work}/messages").read()[-2000:]}')
        done += 1
        # A crawl that died before it wrote down what it is has nothing to be resumed.
        if os.path.exists(f'{killed}/crawl.toml'):
            line = [dowser, 'resume', killed]
            notes += write_note(killed, f'kill {done}')
        else: shutil.rmtree(killed, ignore_errors=True)
    if code: must(line)
    a, b = left_by(whole), left_by(killed)
    same = a == b and notes == notes_of(killed)
    print(f'{"ok    " if same else "FAILED"} {strategy}, {connections} in flight, delay {delay}: {done} kills, {len(a["pages"])} pages, '
          f'{a["redirected"]} redirected, {len(notes)} notes, {took:.1f} s whole' + ('' if same else f'\n  {first_difference(a, b)}'), flush=True)
    return same, done


try:
    names = env.get('STRATEGIES', '').split() or [s for s in strategies() if s != 'hmm' or model]
    earlier = f'{work}/earlier'
    if 'infospiders-db' in names:
        line = command('best-first', '1', '0', earlier, '')
        line[line.index('--max-pages') + 1] = '300'
        must(line)
    settings = [s.split(':') for s in env.get('SETTINGS', '1:0 1:1s 8:0 8:1s').split()]
    combinations = [(s, c, d) for s in names for c, d in settings]
    jobs, job = int(env.get('JOBS', 1)), int(env.get('JOB', 0))
    results = [check(*one, earlier) for one in combinations[job::jobs]]
    print(f'{sum(n for _, n in results)} kills of {len(results)} crawls: {sum(not s for s, _ in results)} differ from an undisturbed one')
    sys.exit(any(not s for s, _ in results))
finally:
    shutil.rmtree(work, ignore_errors=True)
