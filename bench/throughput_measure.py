"""Runs crawlers in turn over a site of loopback hosts and prints what each got and what it cost.

    throughput_measure.py WORK OUT PORT SERVER_PID ROUNDS CRAWLER...     (called by bench/throughput)
"""
import os, shutil, signal, statistics, subprocess, sys, threading, time

work, out, port, server, rounds, crawlers = sys.argv[1], sys.argv[2] + '/crawl', sys.argv[3], *map(int, sys.argv[4:6]), sys.argv[6:]
hosts = open(f'{work}/site/hosts').read().split()
hub = f'http://127.0.0.2:{port}/hub.html'
LIMIT = 240  # seconds a run
COMMANDS = {
    # Two connections a host is the most that Dowser opens.
    'dowser': [os.environ["DOWSER"], 'crawl', '--seed', hub, '--topic', 'function argument return value library',
               '--delay', '0s', '--connections', str(2 * len(hosts)), '--max-pages', '1000000', '--out', out,
               *(a for h in hosts for a in ('--allow-host', h))],
    # Of 4, 16 and 64 threads, 16 were best. It need not write extended attributes of each file.
    'wget2': ['wget2', '-q', '-r', '-l', 'inf', '-H', '-D', ','.join(hosts), '--no-robots', '--no-xattr', '--max-threads', '16',
              '--tries', '1', '--waitretry', '0', '--progress', 'none', '--ignore-tags', 'img,link,script', '-P', out, hub],
    # Writes an archive as Dowser does; it has one connection.
    'wget-warc': ['wget', '-q', '-r', '-l', 'inf', '-H', '-D', ','.join(hosts), '-e', 'robots=off', '--tries', '1',
                  '--ignore-tags', 'img,link,script', '--warc-file', f'{out}/archive', '--warc-cdx', '-P', out, hub],
    'scrapy': ['/usr/bin/python3', '-m', 'scrapy', 'runspider', f'{os.path.dirname(__file__)}/throughput_spider.py',
               '-a', f'hosts={",".join(hosts)}', '-a', f'start={hub}', '-a', f'out={out}'],
}
# With a strategy that learns nothing.
COMMANDS['best-first'] = COMMANDS['dowser'] + ['--strategy', 'best-first']


def ticks_of_server():
    """CPU seconds of nginx: the master and its worker."""
    total = 0
    for pid in [p for p in os.listdir('/proc') if p.isdigit()]:
        try: fields = open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()
        except OSError: continue
        if int(pid) == server or int(fields[1]) == server: total += int(fields[11]) + int(fields[12])
    return total / os.sysconf('SC_CLK_TCK')


def idle_and_all():
    ticks = list(map(int, open('/proc/stat').readline().split()[1:9]))
    return ticks[3] + ticks[4], sum(ticks)


def run(name):
    log = f'{work}/access.log'
    shutil.rmtree(out, ignore_errors=True)
    if name == 'wget-warc': os.makedirs(out)
    os.truncate(log, 0)
    serving, (idle, ticks) = ticks_of_server(), idle_and_all()
    with open(f'{work}/{name}.messages', 'w') as messages:
        start = time.monotonic()
        child = subprocess.Popen(COMMANDS[name], stdin=subprocess.DEVNULL, stdout=messages, stderr=messages, cwd=work)
        alarm = threading.Timer(LIMIT, lambda: os.kill(child.pid, signal.SIGKILL))
        alarm.start()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        alarm.cancel()
    # The log has the time of each request: what a crawler does after the last one is not fetching.
    lines = [line.rstrip('\n').split(' ') for line in open(log, errors='replace')]
    last = max((float(line[-1]) for line in lines), default=time.time())
    urls = {line[1] for line in lines if line[0] == '200'}
    cpu = usage.ru_utime + usage.ru_stime
    n = max(1, len(urls))
    idle_now, ticks_now = idle_and_all()
    result = dict(name=name, urls=len(urls), seconds=seconds, rate=len(urls) / seconds, cpu=1000 * cpu / n,
                  memory=usage.ru_maxrss / 1024, status=os.waitstatus_to_exitcode(status),
                  after=max(0, time.time() - last) / seconds, server=1000 * (ticks_of_server() - serving) / n,
                  idle=(idle_now - idle) / max(1, ticks_now - ticks))
    print(row(result), f'{result["status"]:5}', flush=True)
    if result['status'] == -signal.SIGKILL: print(f'         stopped after {LIMIT} s; its pages/s are those until then')
    elif result['status'] not in (0, 8):  # 8: wget saw a 404
        print(open(f'{work}/{name}.messages').read()[-2000:])
    return result


def row(r):
    return (f'{r["name"]:10} {r["urls"]:7} {r["seconds"]:8.1f} {r["rate"]:9.0f} {r["cpu"]:9.3f} {r["server"]:9.3f} '
            f'{100 * r["idle"]:6.0f} {100 * r["after"]:7.1f} {r["memory"]:8.0f}')


def floor():
    """CPU ms a page of a bare client, one pass over the HTML and the fastest gzip, for the same pages."""
    pages = []
    for host in hosts:
        for folder, _, names in os.walk(f'{work}/site/{host}'):
            pages += [f'{host} /{os.path.relpath(f"{folder}/{name}", f"{work}/site/{host}")}' for name in names if ' ' not in name]
    told = subprocess.run([os.environ['FLOOR'], port], input='\n'.join(pages), text=True, capture_output=True, check=True)
    return told.stdout.split()


print('crawler       URLs  seconds   pages/s    CPU ms  nginx ms  idle % after %   MB RSS  exit')
runs = {}
for _ in range(rounds):
    for name in crawlers: runs.setdefault(name, []).append(run(name))
print('medians')
median = {}
for name, results in runs.items():
    median[name] = {key: name if key == 'name' else statistics.median(r[key] for r in results) for key in results[0]}
    print(row(median[name]))
count, client, html, gzip = floor()
least = float(client) + float(html) + float(gzip)
print(f'floor: CPU ms a page of {count} pages: client {client}, HTML {html}, gzip {gzip}, together {least:.3f}')
most = max(m['urls'] for m in median.values())
for name in [n for n in median if median[n]['urls'] < 0.95 * most]:
    print(f'{name} got {median[name]["urls"]:.0f} of {most:.0f} pages: not compared')
    del median[name]
for own in ('dowser', 'best-first'):
    if own not in median: continue
    d = median[own]
    print(f'{own}/floor: CPU a page {d["cpu"] / least:.1f}')
    for other in ('wget2', 'wget-warc', 'scrapy'):
        if other not in median: continue
        o = median[other]
        print(f'{own}/{other}: pages/s {d["rate"] / o["rate"]:.2f}, CPU a page {d["cpu"] / o["cpu"]:.2f}, '
              f'memory {d["memory"] / o["memory"]:.2f}')
