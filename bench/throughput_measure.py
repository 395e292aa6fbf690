"""Runs crawlers one after the other over a site of loopback hosts and prints what each got and what it cost.

    throughput_measure.py WORK OUT PORT CRAWLER...     (called by bench/throughput)
"""
import os, shutil, signal, subprocess, sys, threading, time

work, port, crawlers = sys.argv[1], sys.argv[3], sys.argv[4:]
out = sys.argv[2] + '/crawl'
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
    'scrapy': ['/usr/bin/python3', '-m', 'scrapy', 'runspider', f'{os.path.dirname(__file__)}/throughput_spider.py',
               '-a', f'hosts={",".join(hosts)}', '-a', f'start={hub}', '-a', f'out={out}'],
}
# With a strategy that learns nothing.
COMMANDS['best-first'] = COMMANDS['dowser'] + ['--strategy', 'best-first']


def run(name):
    log = f'{work}/access.log'
    shutil.rmtree(out, ignore_errors=True)
    os.truncate(log, 0)
    with open(f'{work}/{name}.messages', 'w') as messages:
        start = time.monotonic()
        child = subprocess.Popen(COMMANDS[name], stdin=subprocess.DEVNULL, stdout=messages, stderr=messages, cwd=work)
        alarm = threading.Timer(LIMIT, lambda: os.kill(child.pid, signal.SIGKILL))
        alarm.start()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        alarm.cancel()
    lines = [line.rstrip('\n').split(' ') for line in open(log, errors='replace')]
    urls = {line[1] for line in lines if line[0] == '200'}
    files = {line[2].rstrip('/') for line in lines if line[0] == '200'}
    cpu = usage.ru_utime + usage.ru_stime
    result = dict(name=name, urls=len(urls), seconds=seconds, rate=len(urls) / seconds, cpu=1000 * cpu / max(1, len(urls)),
                  memory=usage.ru_maxrss / 1024, status=os.waitstatus_to_exitcode(status))
    other = sum(line[0] != '200' for line in lines)
    print(f'{name:10} {len(urls):7} {len(files):7} {other:7} {seconds:8.1f} {result["rate"]:9.0f} {result["cpu"]:9.2f} '
          f'{cpu / seconds:7.2f} {result["memory"]:9.0f} {result["status"]:5}', flush=True)
    if result['status'] == -signal.SIGKILL: print(f'         stopped after {LIMIT} s; its pages/s are those until then')
    elif result['status'] not in (0, 8):  # 8: wget2 saw a 404
        print(open(f'{work}/{name}.messages').read()[-2000:])
    return result


print('crawler       URLs   files  not-200  seconds   pages/s  CPU s/1k   cores    MB RSS  exit')
best = {}
for result in map(run, crawlers):
    if result['name'] not in best or result['rate'] > best[result['name']]['rate']: best[result['name']] = result
most = max(result['urls'] for result in best.values())
for name in [n for n in best if best[n]['urls'] < 0.95 * most]:
    print(f'{name} got {best[name]["urls"]} of {most} pages: not compared')
    del best[name]
for other in ('best-first', 'wget2', 'scrapy'):
    if 'dowser' not in best or other not in best: continue
    d, o = best['dowser'], best[other]
    print(f'dowser/{other}: pages/s {d["rate"] / o["rate"]:.2f}, CPU a page {d["cpu"] / o["cpu"]:.2f}, '
          f'memory {d["memory"] / o["memory"]:.2f}')
