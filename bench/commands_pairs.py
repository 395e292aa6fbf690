"""bench/commands pairs: two commands at once in one folder."""
import os, time
from commands_world import LINES, fingerprint

# What a command may say before it works or refuses.
NOTICES = ('warning', 'went back to page', 'were moved to', 'of the sessions have no words', 'are damaged and were skipped', 'not in the library: see')
# Commands that write to the crawl of the same name, or read it while others write.
WRITERS = (('search', 'search html', 'annotate', 'library build', 'library remove', 'rejudge', 'rejudge topic', 'rank', 'resume', 'repair', 'topics',
            'export jsonl', 'check', 'diff'), ('first search', 'annotate bare', 'library add', 'search library'))


def sentence(ran):
    """Whether a command that did not work said so in one line; notices may come before it."""
    lines = [l for l in ran.lines() if not any(n in l for n in NOTICES)]
    return ran.code in (1, 2) and len(lines) == 1 and lines[0].startswith('dowser')


def once(world, rng, first, expect, tell):
    # Half of the pairs write to one crawl, a quarter are the same command twice, and a quarter are any two.
    kind, names = rng.random(), [first, first]
    if kind < 0.25: names[1] = rng.choice(list(LINES))
    elif kind < 0.75: names = rng.choices(rng.choice(WRITERS), k=2)
    both, folder = [expect(n) for n in names], world.trial()
    notes = [f'note {rng.getrandbits(32):08x}' for _ in names]
    lines = [world.command(n, note) for n, note in zip(names, notes)]
    processes = [world.start(lines[0], folder)]
    # The two processes need files of their own for what they print.
    os.replace(f'{folder}.out', f'{folder}.out0'), os.replace(f'{folder}.err', f'{folder}.err0')
    time.sleep(rng.uniform(0, both[0].seconds))
    processes.append(world.start(lines[1], folder))
    ran = [world.finish(p) for p in processes]
    wrong = []
    for name, one in zip(names, ran):
        if one.code is None: wrong.append(f'{name}: no end in 60 s')
        elif one.code != 0 and not sentence(one): wrong.append(f'{name}: exit {one.code}: {one.err.strip()}')
    if all(one.code != 0 for one in ran): wrong.append(f'neither worked: {ran[0].err.strip()} / {ran[1].err.strip()}')
    refused = sum(one.code != 0 for one in ran)
    if refused: tell.counts['one refused'] = tell.counts.get('one refused', 0) + 1
    found = fingerprint(folder)
    changed = both[0].changed | both[1].changed
    wrong += [f'{p} was changed' for p, was in both[0].before.items() if p not in changed and found.get(p) != was]
    # What only one of them writes, from inputs that the other does not change, is what it writes alone.
    crawls_changed = any(p.startswith(('crawl/', 'older/', 'bare/', 'signed/')) for p in both[0].changed | both[1].changed)
    for me, one in enumerate(ran):
        # Two notes are two notes, and a crawl that both write to holds what the second left.
        if one.code != 0 or 'annotate' in lines[me] or (crawls_changed and names[0] != names[1]): continue
        for p in both[me].new - both[1 - me].changed if names[0] != names[1] else both[me].new:
            if p not in both[me].varies and found.get(p) != both[me].after[p]: wrong.append(f'{p} is not what {names[me]} writes alone')
    if sound := world.unsound(folder, *lines): wrong.append(sound)
    for crawl in ('crawl', 'bare'):
        want = [note for line, note, one in zip(lines, notes, ran) if line[0] == 'annotate' and line[1] == crawl and one.code == 0]
        there = world.notes(folder, crawl)
        wrong += [f'a note in {crawl} is lost: {n}' for n in want + (['the first note'] if crawl == 'crawl' else []) if there.count(n) != 1]
    # Afterwards both work, one after the other.
    for name, line in zip(names, lines):
        if name.startswith('crawl ') or name == 'library remove': continue  # these work once
        again = world.run(line, folder)
        if again.code != 0: wrong.append(f'afterwards {name}: exit {again.code}: {again.err.strip()} {again.out.strip()[-200:]}')
    if sound := world.unsound(folder, *lines): wrong.append(f'afterwards: {sound}')
    tell(' + '.join(sorted(names)), refused, wrong, f'{" ".join(lines[0])}  &  dowser {" ".join(lines[1])}')
