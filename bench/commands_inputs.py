"""bench/commands inputs: damaged, strange and endless inputs. bench/commands disks: a disk that is full from a random write on."""
import gzip, hashlib, os, re, shutil, zlib
from commands_pairs import NOTICES, sentence
from commands_world import LINES, OWN, fingerprint

# A device is read up to 64 MiB (base/file.h), and a model or a page may have more than the small ones here.
MOST_MEGABYTES = 600
# What the program makes again from other files whenever it has to; crawl.log is only ever continued, and RocksDB renews its own files.
MADE_AGAIN = ('library.sqlite', 'report.html', 'index.cdxj', 'index.unsorted', 'crawl.log', 'judge.model')
OFTEN = {'catalogue.sqlite': 8, 'crawl-N.warc.gz': 6, 'library.sqlite': 3, 'annotations.sqlite': 3, 'crawl.toml': 2}
WRITES_CRAWL = ('rejudge', 'resume', 'repair', 'rank', 'annotate', 'library', 'search', 'topics', 'first')


def inputs_of(world, name):
    """The files that the command reads, as far as its words name them; of a folder every file in it."""
    files = []
    for word in LINES[name][1:]:
        path = f'{world.base}/{word}'
        if os.path.isdir(path): files += [os.path.relpath(os.path.join(w, f), world.base) for w, _, some in os.walk(path) for f in sorted(some)]
        elif os.path.isfile(path): files.append(word)
    return sorted({f for f in files if f not in OWN and not f.endswith('/LOCK')})


def damaged(rng, data):
    """What is wrong, and the bytes."""
    size = max(1, len(data))
    at, length = rng.randrange(size), min(rng.choice((1, 8, 100, 4096)), size)
    junk = rng.choice((rng.randbytes(length), b'\xff\xfe' * length, b'<' * length, b'"\\u0000' * length, b'9' * length, b'\n' * length, b'[{' * 50_000,
                       b'x' * 3_000_000, b'-1e999\t', b'\0' * length))
    kind = rng.choice(('bit', 'bits', 'cut', 'zeros', 'junk', 'inserted', 'added', 'removed', 'emptied', 'twice', 'shuffled'))
    out = bytearray(data)
    if kind == 'bit' and data: out[at] ^= 1 << rng.randrange(8)
    elif kind == 'bits' and data:
        for _ in range(20): out[rng.randrange(size)] ^= 1 << rng.randrange(8)
    elif kind == 'cut': del out[at:]
    elif kind == 'zeros': out[at:at + length] = bytes(min(length, len(data) - at))
    elif kind == 'junk': out[at:at + length] = junk
    elif kind == 'inserted': out[at:at] = junk
    elif kind == 'added': out += junk
    elif kind == 'removed': del out[at:at + length]
    elif kind == 'emptied': out.clear()
    elif kind == 'twice': out += data
    elif kind == 'shuffled':
        lines = data.split(b'\n')
        rng.shuffle(lines)
        out = bytearray(b'\n'.join(lines))
    return f'{kind} at {at}', bytes(out)


def mutate(rng, path, may_wait):
    """Damages it in place, or puts something else there. A program that reads a log may wait for who will write to its pipe."""
    with open(path, 'rb') as file: data = file.read()
    if rng.random() < 0.12:
        os.remove(path)
        what = rng.choice(('folder', 'missing' if may_wait else 'pipe', 'endless', 'missing', 'unreadable link'))
        if what == 'folder': os.mkdir(path)
        elif what == 'pipe': os.mkfifo(path)
        elif what == 'endless': os.symlink('/dev/zero', path)
        elif what == 'unreadable link': os.symlink('nowhere', path)
        return what
    if data.startswith(b'\x1f\x8b') and rng.random() < 0.5:  # within the packed text
        unpacked = bytearray()
        while data:
            member = zlib.decompressobj(31)
            unpacked += member.decompress(data)
            data = member.unused_data
        what, content = damaged(rng, bytes(unpacked))
        what, content = f'unpacked, {what}', gzip.compress(content, 1, mtime=0)
    else: what, content = damaged(rng, data)
    with open(path, 'r+b') as file:  # in place: what the file is marked with stays
        file.truncate(0)
        file.write(content)
    return what


def raw(path):
    if os.path.islink(path) or not os.path.isfile(path): return None
    with open(path, 'rb') as file: return hashlib.sha1(file.read()).hexdigest()


def is_somewhere(folder, digest):
    return any(raw(os.path.join(w, f)) == digest for w, _, files in os.walk(folder) for f in files)


def once(world, rng, name, expect, tell):
    files = inputs_of(world, name)
    if not files: return tell(name, False, [], '')
    # Large folders have many files of one kind; each kind counts the same, but for what most commands read of a crawl.
    by_kind = {}
    for f in files: by_kind.setdefault('state' if '/state/' in f else re.sub(r'\d+', 'N', os.path.basename(f)), []).append(f)
    kind = rng.choices(list(by_kind), [OFTEN.get(k, 1) for k in by_kind])[0]
    file = rng.choice(by_kind[kind])
    expected, folder = expect(name), world.trial()
    before = fingerprint(folder)
    what = mutate(rng, f'{folder}/{file}', file.startswith('access.log'))
    digest, line = raw(f'{folder}/{file}'), world.command(name)
    ran = world.run(line, folder)
    wrong = []
    if ran.code is None: wrong.append(f'no end in 60 s; {ran.megabytes:.0f} MB')
    elif ran.code < 0: wrong.append(f'signal {-ran.code}: {ran.err[-300:]}')
    elif ran.code not in (0, 1, 2): wrong.append(f'exit {ran.code}')
    elif ran.code and not sentence(ran) and line[0] != 'check': wrong.append(f'exit {ran.code} with {len(ran.lines())} lines: {ran.err.strip()[:600]}')
    if ran.code == 0 and len(ran.lines()) > 12: wrong.append(f'{len(ran.lines())} lines of notices: {ran.err[:300]}')
    for text in ran.lines() if ran.code == 0 else []:
        key = 'notice: ' + re.sub(r'[\d.]+', 'N', text)[:110]
        tell.counts[key] = tell.counts.get(key, 0) + 1
    for key, value in (('longest run in s', ran.seconds), ('most memory in MB', ran.megabytes)): tell.counts[key] = max(tell.counts.get(key, 0), round(value))
    if ran.megabytes > MOST_MEGABYTES: wrong.append(f'{ran.megabytes:.0f} MB of memory')
    writes = name.startswith(WRITES_CRAWL)
    if digest and raw(f'{folder}/{file}') != digest and not (writes and (file.endswith(MADE_AGAIN) or '/state/' in file or any(c.split('#')[0] == file for c in expected.changed) or is_somewhere(folder, digest))):
        wrong.append(f'the damaged {file} was changed')
    found = fingerprint(folder)
    for p, was in before.items():
        if p.split('#')[0] == file or p in expected.changed or found.get(p) == was: continue
        if writes and ('/state' in p or p.endswith(MADE_AGAIN) or 'sqlite#' in p or is_somewhere(folder, was)): continue
        wrong.append(f'{p} was changed')
    tell(name, ran.code != 0, wrong, f'{" ".join(line)}   ({file}: {what})')


calls = {}


def full_disk(world, rng, name, expect, tell, library):
    expected, note = expect(name), f'note {rng.getrandbits(32):08x}'
    line = world.command(name, note)

    def environment(folder, **more): return {'LD_PRELOAD': library, 'FAIL_BELOW': folder, 'FAIL_WITH': 'ENOSPC', **more}
    if name not in calls:
        folder = world.trial()
        world.run(line, folder, environment(folder, FAIL_LOG=f'{folder}.calls'))
        calls[name] = sum(1 for _ in open(f'{folder}.calls')) if os.path.exists(f'{folder}.calls') else 0
        if os.path.exists(f'{folder}.calls'): os.remove(f'{folder}.calls')
    if calls[name] == 0: return tell(name, False, [], '')
    folder, at = world.trial(), rng.randrange(calls[name]) + 1
    ran = world.run(line, folder, environment(folder, FAIL_AT=str(at), FAIL_ON='after'))
    wrong, found = [], fingerprint(folder)
    if ran.code is None: wrong.append('no end in 60 s')
    elif ran.code == 0:
        if missing := [p for p in expected.missing(found) if '#' not in p and not p.endswith('crawl.log')]: wrong.append(f'exit 0, but {missing[:4]} are not as without a full disk: {ran.err.strip()}')
    elif ran.code != 1 or not sentence(ran): wrong.append(f'exit {ran.code}: {ran.err.strip()[:600]}')
    wrong += [f'{p} was changed' for p in expected.touched(found)]
    wrong += [f'{p} is half-written' for p in expected.half_written(found) if name != 'resume' and not p.startswith('made/')]  # an archive grows
    if sound := world.unsound(folder, line): wrong.append(sound)
    if name.startswith('annotate'):
        notes = world.notes(folder, line[1])
        if (ran.code == 0) != (note in notes): wrong.append(f'exit {ran.code}, and the note is {"" if note in notes else "not "}there')
        if line[1] == 'crawl' and 'the first note' not in notes: wrong.append('an earlier note is lost')
    if ran.code != 0:
        if name.startswith('crawl ') and os.path.exists(f'{folder}/made/crawl.toml'): line = ['resume', 'made']
        again = world.run(line, folder)
        if again.code != 0: wrong.append(f'with room again: exit {again.code}: {again.err.strip()} {again.out.strip()[-200:]}')
        found = fingerprint(folder)
        if missing := [p for p in expected.missing(found) if '#' not in p and not p.endswith(('crawl.log', 'report.html'))]: wrong.append(f'with room again: {missing[:4]} differ')
        if sound := world.unsound(folder, line): wrong.append(f'with room again: {sound}')
    tell(name, ran.code != 0, wrong, f'{" ".join(line)}   (FAIL_AT={at} of {calls[name]})')
