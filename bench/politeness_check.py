"""What a log of the hostile web says of a crawler's manners.

    politeness_check.py REQUESTS CHECK DELAY SLACK     (called by bench/politeness)

REQUESTS is the server's log, CHECK what `hostile_web --check` said of it, DELAY in seconds, SLACK in milliseconds.
"""
import collections, sys

requests, check, delay, slack = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]) / 1000
CRAWL_DELAY, CONNECTIONS = 5.0, 2
failed = False


def report(fine, text):
    global failed
    failed |= not fine
    print(('ok     ' if fine else 'FAILED ') + text)


last, gaps, due, early = {}, [], {}, []
asked = collections.Counter()
first = final = None
for line in open(requests, errors='replace'):
    part = line.rstrip('\n').split('\t')
    if part[1] not in ('request', 'answer'): continue
    time, host, target = int(part[0]) / 1e6, part[5], part[7]
    if part[1] == 'answer':
        if int(part[9]) > 0: due[host] = (time + int(part[9]) / 1e6, int(part[9]) / 1e6)
        continue
    first, final = first or time, time
    asked[host] += 1
    if host in last: gaps.append((time - last[host][0], host, last[host][1], target))
    if host in due:
        at, wait = due.pop(host)
        early.append((time - at, host, wait))
    last[host] = time, target

gaps.sort()
seconds = final - first
print(f'{sum(asked.values())} requests to {len(asked)} hosts in {seconds:.0f} s, {sum(asked.values()) / seconds:.0f} a second')
bad = [g for g in gaps if g[0] < delay - slack]
pages = [g for g in gaps if g[2] != '/robots.txt']
report(not bad, f'smallest gap {gaps[0][0]:.3f} s ({gaps[0][1]}: {gaps[0][2]} then {gaps[0][3]}), between pages '
       f'{pages[0][0]:.3f} s; the delay is {delay:g} s; {sum(g[0] < delay for g in gaps)} of {len(gaps)} below it, {len(bad)} by more than {slack * 1000:.0f} ms')
for gap, host, before, after in bad[:5]: print(f'         {host} {before} then {after} after {gap:.3f} s')

slow = [g for g in gaps if g[1] == 'robots-delay.test' and g[2] != '/robots.txt']
report(bool(slow) and slow[0][0] >= CRAWL_DELAY - slack,
       f'Crawl-delay {CRAWL_DELAY:g}: smallest gap {slow[0][0]:.3f} s of {len(slow)}' if slow
       else 'Crawl-delay: its host was not asked twice')
early.sort()
longest = [e for e in early if e[2] > 25]
report(bool(longest) and early[0][0] >= -slack,
       f'Retry-After 30: asked again {early[0][0]:+.3f} s after the time at the earliest, {len(early)} returns to '
       f'{len({e[1] for e in early})} hosts' if early else 'Retry-After: nobody was asked again')

# Columns of the table: host, requests, smallest gap, most connections, earliest return.
rows = [line.split() for line in open(check, errors='replace')]
counts = {row[0]: int(row[3]) for row in rows if row and row[0] in asked}
most = max(((n, host) for host, n in counts.items()), default=(0, '-'))
report(0 < most[0] <= CONNECTIONS,
       f'most connections at a host: {most[0]} ({most[1]}), of {len(counts)} hosts; {CONNECTIONS} are allowed')
offences = [line.strip() for line in open(check, errors='replace') if line.startswith('offence:')]
report(not offences, f'requests for what robots.txt forbids, to private hosts, or with foreign fields: {len(offences)}')
for line in offences[:5]: print('         ' + line)
sys.exit(failed)
