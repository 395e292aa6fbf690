"""bench/commands places: the user's own files wherever a command writes.

tests/cli/own_files_test.cc does this for most options that name a file, and for seven places in a crawl. Here are the outputs that an
undisturbed run of each command leaves, whatever they are (folders, the second and third file), and every place in a crawl.
"""
import os, re, shutil, sqlite3
from commands_inputs import WRITES_CRAWL, is_somewhere, raw
from commands_pairs import sentence
from commands_world import CRAWLS, LINES, Expected

ADVICE = re.compile(r'name |move |remove|put |give |choose|restore|dowser \w+|--\w+|delete|use |copy|again|repair|wait|is not the folder of a crawl|neither an archive nor|is not a WARC file')
IN_A_CRAWL = ('crawl.log', 'report.html', 'index.cdxj', 'index.unsorted', 'library.sqlite', 'annotations.sqlite', 'catalogue.sqlite', 'crawl.toml',
              'judge.model', 'profile.toml', 'model.json', 'set-aside', 'added', 'state', 'archive', 'signatures', 'added/added.txt', 'added/added.txt.json',
              'state/CURRENT', 'archive/crawl-00000.warc.gz', 'archive/crawl-00001.warc.gz')


def foreign_database(path):
    base = sqlite3.connect(path)
    base.executescript('CREATE TABLE mine (a); INSERT INTO mine VALUES (1);')
    base.close()


def put(path, kind, folder):
    """Puts something of the user's there; the files that must be intact afterwards, and links that must stay links."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.islink(path) or os.path.isfile(path): os.remove(path)
    elif os.path.isdir(path): shutil.rmtree(path)
    outside = f'{folder}/of the user'
    os.makedirs(outside, exist_ok=True)
    with open(f'{outside}/start-up', 'w') as file: file.write('echo hello\n')
    if kind == 'text':
        with open(path, 'w') as file: file.write('nobody else has written this\n')
        return [path, f'{outside}/start-up'], []
    if kind == 'database':
        foreign_database(path)
        return [path], []
    if kind == 'folder':
        os.makedirs(path)
        with open(f'{path}/letter.txt', 'w') as file: file.write('dear friend\n')
        return [f'{path}/letter.txt'], []
    os.symlink({'link': f'{outside}/start-up', 'dangling link': f'{outside}/nowhere', 'link to a folder': outside}[kind], path)
    return [f'{outside}/start-up'], [path]


KINDS = ('text', 'database', 'folder', 'link', 'dangling link', 'link to a folder')


def once(world, name, place, kind, in_crawl, tell):
    folder = world.trial()
    files, links = put(f'{folder}/{place}', kind, folder)
    digests = [(f, raw(f)) for f in files]
    line = world.command(name)
    ran = world.run(line, folder)
    wrong = []
    for file, digest in digests:
        if raw(file) != digest and not (in_crawl and is_somewhere(folder, digest)): wrong.append(f'{os.path.relpath(file, folder)} is not intact')
    for link in links:
        # What a resume sets aside is the link itself.
        if not os.path.islink(link) and not in_crawl: wrong.append(f'the link {place} was replaced')
    # A folder that the user names may be a link, to another disk for instance; inside of a crawl nobody has named it.
    if in_crawl and (more := [f for f in os.listdir(f'{folder}/of the user') if f != 'start-up']): wrong.append(f'{more} were written through the link')
    if ran.code is None or ran.code < 0: wrong.append(f'exit {ran.code}')
    elif ran.code and line[0] != 'check':
        if not sentence(ran): wrong.append(f'exit {ran.code} with {len(ran.lines())} lines: {ran.err.strip()[:500]}')
        elif not ADVICE.search(ran.err.split(':', 1)[-1]): wrong.append(f'no advice: {ran.err.strip()[:500]}')
    tell.number += 1
    tell(name, ran.code != 0, wrong, f'{" ".join(line)}   ({kind} at {place})')


def run(world, tell, names):
    for name in names:
        expected = Expected(world, name)
        places = {}  # the first file of each kind in a folder stands for the others
        for p in sorted(p for p in expected.new if '#' not in p):
            if not (p.startswith((*CRAWLS, 'made/')) and '/' in p): places.setdefault((os.path.dirname(p), os.path.splitext(p)[1] if '/' in p else p), p)
        for place in places.values():
            for kind in KINDS: once(world, name, place, kind, False, tell)
    for name in names:
        crawls = [word for word in LINES[name] if word in CRAWLS]
        if not crawls or not name.startswith(WRITES_CRAWL): continue
        for own in IN_A_CRAWL:
            if name == 'library remove' and own.startswith('added/'): continue  # that is what it is asked to remove
            for kind in ('text', 'database', 'link', 'dangling link'): once(world, name, f'{crawls[0]}/{own}', kind, True, tell)
