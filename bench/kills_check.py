"""Checks that a crawl's archive, catalogue and index agree, and that it asked the server for nothing in vain.

    kills_check.py ROOT DIR PAGES REQUESTS PORT CONNECTIONS KILLS     (called by bench/kills)
"""
import base64, collections, glob, hashlib, os, sqlite3, subprocess, sys, zlib

root, folder, pages, requests, port, connections, kills = sys.argv[1:]
failed = False


def report(name, complaints, fine):
    """One line a check; of what is wrong the first few."""
    global failed
    failed |= bool(complaints)
    print(f'{"FAILED" if complaints else "ok    "} {name}: {f"{len(complaints)} complaints" if complaints else fine}')
    for c in complaints[:5]: print(f'         {c}')


def digest(data): return 'sha1:' + base64.b32encode(hashlib.sha1(data).digest()).decode()


def members(path):
    """Offset and content of each gzip member; content None where it is broken or cut, which ends the file."""
    data, at = open(path, 'rb').read(), 0
    while at < len(data):
        unpack = zlib.decompressobj(31)
        try: content = unpack.decompress(data[at:at + (1 << 20)])
        except zlib.error: yield at, None; return
        end = at + (1 << 20)
        while not unpack.eof and end < len(data):
            content += unpack.decompress(data[end:end + (1 << 20)]); end += 1 << 20
        if not unpack.eof: yield at, None; return
        yield at, content
        at = min(end, len(data)) - len(unpack.unused_data)


# The archive: (file, offset) -> type, address, payload digest.
records, answers, broken = {}, collections.defaultdict(list), []
for path in sorted(glob.glob(f'{folder}/archive/*')):
    name = os.path.basename(path)
    if not name.endswith('.warc.gz'): broken.append(f'{name} is no archive')
    for offset, content in members(path):
        if content is None: broken.append(f'{name}: broken or cut at {offset}'); continue
        head, _, block = content.partition(b'\r\n\r\n')
        field = {k.strip().lower(): v.strip() for k, _, v in (l.partition(':') for l in head.decode().split('\r\n')[1:])}
        block = block[:int(field['content-length'])]
        kind, url = field['warc-type'], field.get('warc-target-uri', '')
        if digest(block) != field['warc-block-digest']: broken.append(f'{name}: wrong digest at {offset}')
        records[name, offset] = kind, url, field.get('warc-payload-digest')
        if kind in ('response', 'revisit'): answers[url].append((name, offset))
report('(0) the archive is whole', broken, f'{len(records)} records in {len({n for n, _ in records})} files, every digest right')

wanted = {'http://%s:%s/%s' % (h, port, p) for h, _, p in
          (l.rstrip('\n').partition('/') for l in open(pages) if '/' in l and ' ' not in l)}
wrong = [f'{u} has {len(answers.get(u, []))} records' for u in sorted(wanted) if len(answers.get(u, [])) != 1]
wrong += [f'{u} has {len(a)} records' for u, a in sorted(answers.items()) if u not in wanted and len(a) > 1]
report('(a) every reachable page once in the archive', wrong, f'{len(wanted)} pages')

# The catalogue. A redirect has records of its hops, and a row of the address that answered in the end.
base = sqlite3.connect(f'file:{folder}/catalogue.sqlite?mode=ro', uri=True)
wrong, pointed = [r[0] for r in base.execute('PRAGMA integrity_check') if r[0] != 'ok'], collections.Counter()
rows = base.execute('SELECT url, final_url, failure, digest, archive_file, archive_offset FROM pages').fetchall()
for url, final, failure, row_digest, file, offset in rows:
    if file is None: wrong.append(f'{url}: no record ({failure})'); continue
    pointed[file, offset] += 1
    kind, record_url, record_digest = records.get((file, offset), ('nothing', '', None))
    if kind not in ('response', 'revisit'): wrong.append(f'{url}: {kind} at {file} {offset}')
    elif record_url != final: wrong.append(f'{url}: the record is of {record_url}')
    elif record_digest != row_digest: wrong.append(f'{url}: digest {row_digest}, in the archive {record_digest}')
wrong += [f'{n} rows point at {f} {o}' for (f, o), n in pointed.items() if n > 1]
hops = {u for u, f, *_ in rows if u != f}
wrong += [f'{u}: a record without a row at {p[0]} {p[1]}' for u, places in answers.items() if u not in hops
          for p in places if p not in pointed]
links = base.execute('SELECT count(*) FROM links WHERE page NOT IN (SELECT id FROM pages)').fetchone()[0]
if links: wrong.append(f'{links} links of pages without a row')
lost = base.execute("""SELECT count(*) FROM pages WHERE parent IS NOT NULL AND
    NOT EXISTS (SELECT 1 FROM links WHERE page = pages.parent AND position = pages.parent_link)""").fetchone()[0]
if lost: wrong.append(f'{lost} pages whose parent_link is not there')
report('(b) the catalogue agrees with the archive', wrong, f'{len(rows)} rows')

# warcio, set up as tests/archive/warcio_check does it.
cache = f'{root}/build/release/warcio'
if not os.path.isdir(f'{cache}/node_modules/warcio'):
    os.makedirs(cache, exist_ok=True)
    subprocess.run('npm install --silent --no-audit --no-fund --prefix . warcio', shell=True, cwd=cache, timeout=120)
files = [os.path.abspath(p) for p in sorted(glob.glob(f'{folder}/archive/*.warc.gz'))]
run = subprocess.run(['npx', '--no-install', 'warcio', 'index', *files], cwd=cache, capture_output=True, text=True)
listed = sum(l.startswith('{') for l in run.stdout.splitlines())
run_cdx = subprocess.run(['npx', '--no-install', 'warcio', 'cdx-index', *files], cwd=cache, capture_output=True, text=True)
cdx = [l for l in run_cdx.stdout.splitlines() if l.strip()]
wrong = []
for r in (run, run_cdx):
    complaints = [l for l in r.stderr.splitlines() if l.strip() and not l.startswith('npm ')]  # npm has its own worries
    if r.returncode or complaints: wrong.append(f'warcio ended with {r.returncode}: {complaints[:3]}')
if listed != len(records): wrong.append(f'warcio index lists {listed} of {len(records)} records')
count = sum(map(len, answers.values()))
if len(cdx) != count: wrong.append(f'cdx-index lists {len(cdx)} of {count} answers')
ours = sorted(l.rstrip('\n') for l in open(f'{folder}/index.cdxj')) if os.path.exists(f'{folder}/index.cdxj') else []
if ours != sorted(cdx): wrong.append(f'index.cdxj ({len(ours)} lines) is not what warcio makes ({len(cdx)})')
report('(c) warcio reads it, index.cdxj is the same', wrong, f'{listed} records, {len(cdx)} answers')

times = collections.Counter()
for line in open(requests):
    part = line.rstrip('\n').split('\t')
    if part[1] == 'request' and part[7] != '/robots.txt': times[f'http://{part[5]}:{port}{part[7]}'] += 1
# A kill loses what is in flight, and what has come within the last moments and is not yet written: the Keeper writes every 0.05 s, and
# is given 0.15 s here, in which a connection brings a page every 0.02 s (the server's latency).
lost = int(connections) * (1 + 0.15 / 0.02)
extra, bound = sum(times.values()) - len(times), int(lost * int(kills))
wrong = [f'{extra} requests too many, at most {bound} = {lost:.0f} pages x {kills} kills'] if extra > bound else []
report('(d) requests for what was had', wrong, f'{sum(times[u] > 1 for u in wanted)} of {len(wanted)} pages asked for more than '
       f'once, {max(times.values())} times at most; {extra} requests too many (at most {bound}); '
       f'{len(times.keys() - wanted)} addresses that are no pages')
sys.exit(failed)
