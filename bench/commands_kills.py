"""bench/commands kills: a command dies at a random moment and is run again."""
import http.client, json, os, re, signal, time
from commands_world import fingerprint


def once(world, rng, name, expect, tell):
    expected = expect(name)
    note = f'note {rng.getrandbits(32):08x}'
    line, folder = world.command(name, note), world.trial()
    process = world.start(line, folder)
    time.sleep(max(0.0005, expected.seconds * rng.uniform(0, 1.05)))
    os.kill(process.pid, signal.SIGKILL)
    first = world.finish(process)
    wrong = []
    found = fingerprint(folder)
    wrong += [f'{p} was changed by the killed command' for p in expected.touched(found)]
    wrong += [f'{p} is half-written after the kill' for p in expected.half_written(found) if not name.startswith(('crawl ', 'resume'))]
    killed = first.code == -9
    if sound := world.unsound(folder, line): wrong.append(f'after the kill: {sound}')
    if first.code not in (0, -9): wrong.append(f'ended with {first.code} before it was killed: {first.err.strip()}')
    if killed or not name.startswith('crawl '):
        if name.startswith('crawl ') and os.path.exists(f'{folder}/made/crawl.toml'): line = ['resume', 'made']
        again = world.run(line, folder)
        # What was removed before the kill cannot be removed again.
        if again.code != 0 and not (name == 'library remove' and 'no file' in again.err): wrong.append(f'the second run ended with {again.code}: {again.err.strip()} {again.out.strip()[-200:]}')
        found = fingerprint(folder)
        # A note that was written twice is there twice, and what is counted from it. A page that was fetched twice is not.
        ignored = ('#annotation', 'library.sqlite#', 'annotations.sqlite#') if name.startswith('annotate') else ()
        ignored += ('#runs', '#sums', '#progress', 'crawl.log', 'report.html') if name in ('resume', 'repair') or name.startswith(('crawl ', 'rejudge')) else ()
        wrong += [f'{p} is not as an undisturbed run leaves it' for p in expected.missing(found) if not any(i in p for i in ignored)]
        wrong += [f'{p} was changed by the second run' for p in expected.touched(found)]
        if sound := world.unsound(folder, line): wrong.append(f'after the second run: {sound}')
        if name.startswith('annotate'):
            notes = world.notes(folder, line[1])
            if not 1 <= notes.count(note) <= 2: wrong.append(f'the note is there {notes.count(note)} times')
            if line[1] == 'crawl' and 'the first note' not in notes: wrong.append('an earlier note is lost')
        left = [p for p in found if '.dowser-new' in p]
        if left: tell.counts['unfinished files left'] = tell.counts.get('unfinished files left', 0) + 1
    tell(name, killed, wrong, ' '.join(line))


def record(world, rng, tell):
    """A recording is killed while events come in; what was answered with 204 must be in the session file."""
    name, folder = 'session record', world.trial()
    line = ['session', 'record', '--to', 'rec.sessions', '--topic', 'fog', '--listen', '127.0.0.1:0', '--token', 'secret', '--json']

    def begin():
        process = world.start(line, folder)
        end = time.time() + 20
        while time.time() < end and not os.path.getsize(f'{folder}.err'):
            if found := re.search(r'"listening": ?"http://127.0.0.1:(\d+)"', open(f'{folder}.out').read()): return process, int(found[1])
            time.sleep(0.005)
        return process, None

    wrong, answered, sent = [], [], 0
    for run in range(3):
        process, port = begin()
        if not port:
            wrong.append(f'recording did not start: {open(f"{folder}.err").read()}')
            break
        end = time.time() + rng.uniform(0.005, 0.1)
        connection = http.client.HTTPConnection('127.0.0.1', port, timeout=10)
        while time.time() < end:
            page = f'http://web.test/{sent}'
            sent += 1
            try:
                connection.request('POST', '/event', json.dumps({'event': 'visit', 'url': page, 'kind': 'link', 'html': f'<p>page {sent}' + 'x' * rng.choice((10, 1000, 200000))}),
                                   {'Authorization': 'Bearer secret', 'Content-Type': 'application/json'})
                if time.time() + 0.002 > end and run < 2:  # between the request and its answer
                    os.kill(process.pid, signal.SIGKILL)
                answer = connection.getresponse()
                answer.read()
                if answer.status == 204: answered.append(page)
                else: wrong.append(f'an event was answered with {answer.status}')
            except (OSError, http.client.HTTPException): break
        if run < 2: os.kill(process.pid, signal.SIGKILL)
        else: os.kill(process.pid, signal.SIGINT)
        ended = world.finish(process)
        if run == 2 and ended.code != 0: wrong.append(f'Ctrl-C: exit {ended.code}: {ended.err.strip()}')
    shown = world.run(['session', 'show', 'rec.sessions', '--json'], folder)
    try: pages = [page['url'] for page in json.loads(shown.out)[0]['pages']]
    except (ValueError, KeyError, IndexError): pages = []
    lost = [p for p in answered if p not in pages]
    if lost: wrong.append(f'{len(lost)} of {len(answered)} answered events are lost: {shown.err.strip()}')
    tell.counts['events recorded'] = tell.counts.get('events recorded', 0) + len(answered)
    tell(name, True, wrong, ' '.join(line))
