"""Counts the violations of politeness in logs of the hostile web.

    politeness_crowd.py SLACK REQUESTS CHECK [REQUESTS CHECK …]     (called by bench/politeness_crowd)

REQUESTS is a server's log of a run with --varied, CHECK what `hostile_web --check` said of it, SLACK in milliseconds.
"""
import collections, re, sys

slack = float(sys.argv[1]) / 1000
DELAY, CRAWL_DELAY, PLACES = 1.0, 2.0, 8
total = collections.Counter()
examples = []


def crawl_delay(host):
    number = int(re.match(r'h(\d+)\.test', host)[1])
    return CRAWL_DELAY if number % 10 in (3, 8) else DELAY


def violation(kind, text):
    total[kind] += 1
    if len(examples) < 20: examples.append(f'{kind}: {text}')


def read(requests):
    last, asked, ends = {}, collections.Counter(), collections.defaultdict(list)
    first = final = None
    most, smallest = 0, {DELAY: 9e9, CRAWL_DELAY: 9e9}
    at_host = collections.Counter()
    for line in open(requests, errors='replace'):
        part = line.rstrip('\n').split('\t')
        if part[1] not in ('request', 'answer'): continue
        time, kind, connection, address, host, target = int(part[0]) / 1e6, part[1], part[2], part[4], part[5], part[7]
        if kind == 'answer':
            ends[address].remove(connection)
            at_host[host] -= 1
            continue
        first, final = first or time, time
        total['requests'] += 1
        asked[host] += 1
        if target == '/robots.txt': total['robots.txt'] += 1
        if host in last:
            gap, wanted = time - last[host], crawl_delay(host)
            smallest[wanted] = min(smallest[wanted], gap)
            if gap < wanted - slack: violation('delay', f'{host} {target} after {gap:.3f} s instead of {wanted:g} s')
        last[host] = time
        ends[address].append(connection)
        most = max(most, len(ends[address]))
        if len(ends[address]) > PLACES: late[address].append((time, host, target))
        at_host[host] += 1
        if at_host[host] > 1: violation('host', f'{host}: {at_host[host]} requests at a time')
    return asked, most, smallest, final - first


for requests, check in zip(sys.argv[2::2], sys.argv[3::2]):
    late = collections.defaultdict(list)
    asked, most, smallest, seconds = read(requests)
    # The server notes an answer some time after its last byte was sent: those count only where they are still under way then.
    answers = collections.defaultdict(list)
    spans = {}
    if late:
        for line in open(requests, errors='replace'):
            part = line.rstrip('\n').split('\t')
            if part[1] not in ('request', 'answer'): continue
            time = int(part[0]) / 1e6
            if part[1] == 'request': spans[part[2]] = time
            if part[1] == 'answer' and part[4] in late: answers[part[4]].append((spans[part[2]], time - slack))
        for address, moments in late.items():
            for time, host, target in moments:
                under_way = sum(begin <= time < end for begin, end in answers[address])
                if under_way > PLACES: violation('address', f'{address}: {under_way} at a time ({host}{target})')
    offences = [line.strip() for line in open(check, errors='replace') if line.startswith('offence:')]
    for line in offences: violation('robots', line)
    shared = sum(n for host, n in asked.items() if int(host[1:-5]) > 200)
    print(f'{sum(asked.values())} requests to {len(asked)} hosts in {seconds:.0f} s ({shared} to names at the shared address); smallest gap '
          f'{smallest[DELAY]:.3f} s, with Crawl-delay {CRAWL_DELAY:g} {smallest[CRAWL_DELAY]:.3f} s; most requests at a time at an '
          f'address {most} as noted by the server')

violations = {kind: total[kind] for kind in ('delay', 'host', 'address', 'robots')}
print(f'{total["requests"]} requests, {total["robots.txt"]} of them for robots.txt; violations: '
      + ', '.join(f'{kind} {count}' for kind, count in violations.items()))
for line in examples: print('         ' + line)
sys.exit(any(violations.values()))
