"""What must hold after bench/soak, from the server's log, the events, the samples and the crawl's folder.

- Lost or doubled: bench/kills_check.py holds (every page once in the archive, catalogue and archive agree, warcio reads it), `dowser check`
  finds nothing, every note that was written is there.
- A page that was answered is asked for again only if what interrupted the crawl explains it: a kill at most KILL_LOSES seconds after the
  answer (plus the time for which another program held the catalogue), a failure of the network around it, a full disk. Ctrl-C loses nothing.
- Standstill: while links waited and nothing disturbed the crawl, two requests (to any hosts) were never farther apart than the
  longest wait that a host had been given: the delay; for BACK_OFF seconds after a failure of the network, the wait after a time-out; while
  a host rests after 429 or 503, its rest, at the end, when other hosts have nothing left.
- Memory and descriptors: the median of the last third is at most 1.3 times that of the second third. Only processes that have lived for
  20 s are compared, since each resume begins anew. What operating.md (Size) grants for a growing crawl is subtracted first: `learned` keeps
  3 kB of each of the newest 5,000 pages, and frontier, strategy and guards together about 1 kB for each page with its few links here.
- Politeness: no host gets two requests closer than the delay (less SLACK), whatever ended the process that sent the first of them. A request
  on a connection that was opened before the network failed, and that arrives up to LATE seconds after, was sent at an unknown time and does
  not count.
"""
import bisect, collections, json, statistics, subprocess, sys
import soak_plot, soak_world

KILL_LOSES, START_TAKES, BACK_OFF, AFTER_CUT, LATE, SLACK = 1.0, 4.0, 150, 85, 30, 0.1


def granted_mb(pages): return (3 * min(pages, 5000) + pages) / 1000


def read_requests(file):
    """(time, host, target, status, wait, since) in the order of the requests; status None where no answer was completed, since: when its
    connection was opened."""
    asked, open_on, opened = [], {}, {}
    for line in open(file, errors='replace'):
        part = line.rstrip('\n').split('\t')
        if part[1] == 'open': opened[part[2]] = int(part[0]) / 1e6
        elif part[1] == 'request':
            open_on[part[2]] = len(asked)
            asked.append([int(part[0]) / 1e6, part[5], part[7], None, 0, opened.get(part[2], 0)])
        elif part[1] == 'answer' and part[2] in open_on:
            asked[open_on.pop(part[2])][3:5] = [int(part[8]), int(part[9] or 0) / 1e6]
    return asked


def read_table(file): return [line.rstrip('\n').split('\t') for line in open(file)]


class Story:
    """The events as intervals: when a crawler ran undisturbed, when the network was down, the catalogue held, the disk full."""

    def __init__(self, file):
        self.sessions, self.cuts, self.locks, self.full, self.kills, self.last = [], [], [], [], [], None
        start = cut = lock = full = None
        for text, kind, *_ in read_table(file):
            time = float(text)
            if kind == 'start': start = time
            elif kind in ('kill', 'interrupt', 'end', 'full', 'cut', 'free'):
                if start: self.sessions.append((start, time, kind))
                start = None
            if kind == 'cut': cut = time
            elif kind == 'mended': self.cuts.append((cut, time)); start = time
            elif kind == 'lock': lock = time
            elif kind == 'unlock': self.locks.append((lock, time))
            elif kind == 'full': full = time
            elif kind == 'free': self.full.append((full, time))
            elif kind == 'kill': self.kills.append(time)
            elif kind == 'last': self.last = time

    def held(self, begin, end): return sum(max(0, min(end, b) - max(begin, a)) for a, b in self.locks)

    def since_cut(self, time):
        return min((time - b for a, b in self.cuts if a <= time), default=1e9)

    def arrived_late(self, time, opened):
        """Whether a request may have been sent while the network was down: TCP delivers it later, even if its sender was killed meanwhile."""
        return any(opened < a <= time <= b + LATE for a, b in self.cuts)

    def explains(self, answered, again):
        """Why a page that was answered may be asked for again."""
        for kill in self.kills:
            if answered <= kill <= again and kill - answered <= KILL_LOSES + 2 * self.held(answered - 5, kill): return 'kill'
        for a, b in self.cuts:
            if answered <= b + 2 and again >= a and answered >= a - 2: return 'network'
        for a, b in self.full:
            if a - KILL_LOSES - self.held(a - 5, a) <= answered <= b + 10 and again >= a: return 'full disk'
        return None


def repeats(asked, story, report):
    before, reasons, odd = {}, collections.Counter(), []
    for time, host, target, status, _, opened in asked:
        if target == '/robots.txt' or 'no-such-page-' in target or story.arrived_late(time, opened): continue
        if (host, target) in before:
            then, answer = before[host, target]
            why = 'no answer or a passing one' if answer != 200 else story.explains(then, time)
            reasons[why] += 1
            if not why: odd.append(f'{host}{target} asked at {then:.3f} and {time:.3f}')
        before[host, target] = time, status
    if odd: report(f'{len(odd)} pages were asked for again without a reason: {"; ".join(odd[:5])}')
    print('      asked for again:', ', '.join(f'{n} ({why})' for why, n in reasons.items() if why) or 'none')


def standstills(asked, story, report):
    times = [r[0] for r in asked]
    rests, complaints = [], collections.Counter()
    starts = sorted(a for a, _, _ in story.sessions)
    for t, host, _, status, wait, _ in asked:  # within a process the rest doubles with each complaint
        run = bisect.bisect(starts, t), host
        if status in (429, 503):
            rests.append((t, max(wait or 80, 10 * 2 ** min(complaints[run], 8)) + 5))
            complaints[run] += 1
    longest, worst, number = (0, 0), 0, 0
    for begin, end, how in story.sessions:
        inside = times[bisect.bisect_left(times, begin):bisect.bisect_right(times, end)]
        points = [begin, *inside, end]
        if how == 'end' and inside: points.pop()  # what it does when all pages have been fetched
        for a, b in zip(points, points[1:]):
            allowed = soak_world.DELAY + 1 + 2 * story.held(a - 5, b) + (START_TAKES if a == begin else 0)
            if story.since_cut(a) < BACK_OFF: allowed = max(allowed, AFTER_CUT)
            if story.last and b >= story.last: allowed = max([allowed, *(rest for t, rest in rests if t <= a <= t + rest)])
            number += 1
            longest = max(longest, (b - a, allowed))
            if b - a > allowed:
                worst += 1
                report(f'standstill: nothing was requested for {b - a:.1f} s from {a:.1f} on (the longest wait given: {allowed:.1f} s)')
    print(f'      longest time without a request {longest[0]:.1f} s (allowed there: {longest[1]:.1f} s), {worst} of {number} too long')


def politeness(asked, story, report):
    starts = sorted(a for a, _, _ in story.sessions)
    ends = [(b, how) for _, b, how in story.sessions]
    last, close, smallest, across = {}, [], 9e9, {}
    for time, host, target, _, _, opened in asked:
        if story.last and time > story.last: break
        if story.arrived_late(time, opened): continue
        if host in last:
            gap = time - last[host]
            how = ''
            if bisect.bisect(starts, last[host]) == bisect.bisect(starts, time):
                smallest = min(smallest, gap)
            else:
                how = ends[max(0, bisect.bisect(ends, (time, '')) - 1)][1]
                across[how] = min(across.get(how, 9e9), gap)
            if gap < soak_world.DELAY - SLACK: close.append(f'{host}{target} after {gap:.3f} s {how and "and " + how}')
        last[host] = time
    if close: report(f'{len(close)} requests came earlier than the delay: {"; ".join(close[:5])}')
    print(f'      smallest time between two requests to a host {smallest:.3f} s (delay {soak_world.DELAY} s); across '
          + ', '.join(f'{how} {gap:.3f} s' for how, gap in across.items()))


def growth(rows, story, report):
    """Compares the medians of the last two thirds."""
    rows = [r for r in rows if story.last is None or r[0] < story.last]
    if not rows: return report('nothing was measured')
    begin, end = rows[0][0], rows[-1][0]
    thirds = [[], [], []]
    for time, _, age, pages, waiting, rss, descriptors in rows:
        if age >= 20: thirds[min(2, int(3 * (time - begin) / (end - begin + 1)))].append((rss, rss - granted_mb(pages), descriptors))
    if min(map(len, thirds)) < 3: return print('      too few samples to compare memory')
    for i, (name, judged) in enumerate((('memory in MB', False), ('memory less what pages are granted', True), ('open descriptors', True))):
        first, second, last = (statistics.median(r[i] for r in third) for third in thirds)
        print(f'      {name}, median of each third: {first:.1f}, {second:.1f}, {last:.1f}')
        if judged and last > 1.3 * max(second, 1): report(f'{name} grew from {second:.1f} to {last:.1f}')


def check(root, world, folder, work, notes, counts, report):
    def run(*line): return subprocess.run(line, capture_output=True, text=True, errors='replace')
    checked = run(sys.executable, f'{root}/bench/kills_check.py', root, folder, f'{work}/web', world.requests, str(world.port), '64',
                  str(sum(counts.get(k, 0) for k in ('kill -9', 'network down', 'disk full'))))
    print(checked.stdout + checked.stderr[-1000:], end='')
    if checked.returncode: report('archive, catalogue and requests do not agree (above)')
    sound = run(world.programs.dowser, 'check', folder)
    if sound.returncode: report(f'dowser check: {sound.stdout[-1000:]}{sound.stderr[-500:]}')
    listed = run(world.programs.dowser, 'annotate', folder, '--list', '--json')
    there = [note['text'] for note in json.loads(listed.stdout)] if listed.returncode == 0 else []
    lost, twice = [n for n in notes if n not in there], [n for n in set(there) if there.count(n) > 1]
    if lost or twice: report(f'{len(lost)} of {len(notes)} notes are lost, {len(twice)} are there twice: {lost[:3]}')
    print(f'{"FAILED" if lost or twice else "ok    "} (e) {len(notes)} notes were written and are there')
    story, asked = Story(f'{work}/events.tsv'), read_requests(world.requests)
    print(f'      {len(asked)} requests in {len(story.sessions)} undisturbed stretches')
    repeats(asked, story, report)
    standstills(asked, story, report)
    politeness(asked, story, report)
    rows = [tuple(map(float, row)) for row in read_table(f'{work}/samples.tsv')[1:]]
    growth(rows, story, report)
    offences = run(world.programs.hostile_web, *world.web, '--check', world.requests).stdout.splitlines()
    for line in offences:
        if line.startswith('offence:'): report(line)
    with open(f'{work}/soak.svg', 'w') as out: out.write(soak_plot.svg(rows, read_table(f'{work}/events.tsv')))
