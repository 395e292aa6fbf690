"""Turns an archive or a folder of HTML into a site of loopback hosts that a server of files can serve.

    throughput_site.py SOURCE OUT PORT [PAGES]

OUT/127.0.0.K/… are the pages of host K (K from 2), OUT/hosts names them one a line, and 127.0.0.2/hub.html links to the
start pages of all. Of an archive the smallest hosts are taken until there are PAGES pages (default 12,000), so that
many hosts can be asked at a time; a source with few hosts is cut into hosts by its folders. Links between the pages
lead to their new addresses; all others (images, styles, the world outside) lead nowhere, so that every crawler is asked for
the same, and none leaves this machine.
"""
import collections, gzip, os, re, sys
from urllib.parse import urljoin, urlsplit, unquote

FEW_HOSTS, MOST_HOSTS = 8, 16
ATTRIBUTE = re.compile(rb'''\b(href|src|action|data|cite)(\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)''', re.I)
ELSEWHERE = re.compile(rb'<base\b[^>]*>|<meta[^>]+http-equiv=["\']?refresh[^>]*>', re.I)


def records(path):
    """Address, head and body of each response of a WARC file."""
    with (gzip.open if path.endswith('.gz') else open)(path, 'rb') as f:
        while line := f.readline():
            if not line.startswith(b'WARC/'): continue
            head = {}
            while (line := f.readline()).strip():
                name, _, value = line.partition(b':')
                head[name.lower()] = value.strip()
            block = f.read(int(head[b'content-length']))
            if head.get(b'warc-type') == b'response':
                http, _, body = block.partition(b'\r\n\r\n')
                yield head[b'warc-target-uri'].decode(), http, body


def pages_of(source):
    """Address -> body of the pages that a server of files can serve under that address."""
    pages = {}
    if os.path.isdir(source):
        for folder, _, names in os.walk(source):
            for name in names:
                if name.endswith(('.html', '.htm')):
                    file = os.path.join(folder, name)
                    pages['http://folder.test/' + os.path.relpath(file, source)] = open(file, 'rb').read()
        return pages
    for url, http, body in records(source):
        if http[9:12] != b'200' or b'text/html' not in http.lower() or b'content-encoding' in http.lower(): continue
        if urlsplit(url).path.endswith(('.html', '.htm')) and '?' not in url: pages[url] = body
    return pages


def host_of(url, depth):
    """What becomes one host: a host, or with a depth a folder of it."""
    parts = urlsplit(url)
    return parts.netloc + '/'.join(parts.path.split('/')[:depth + 1] if depth else [])


def choose(pages, wanted):
    """Pages and the host of each: whole hosts, smallest first, or folders where there are few hosts."""
    count = collections.Counter(host_of(u, 0) for u in pages)
    depth = 0
    while len(count) < FEW_HOSTS and depth < 5:
        depth += 1
        count = collections.Counter(host_of(os.path.dirname(u), depth) for u in pages)
    chosen = {}
    for group, size in sorted(count.items(), key=lambda c: (c[1], c[0])):
        if depth == 0 and sum(count[g] for g in chosen) >= wanted: break
        chosen[group] = '127.0.0.%d' % (2 + len(chosen) % MOST_HOSTS)  # more folders than that share hosts
    group = (lambda u: host_of(u, 0)) if depth == 0 else (lambda u: host_of(os.path.dirname(u), depth))
    return {u: chosen[group(u)] for u in pages if group(u) in chosen}


def rewrite(url, body, host, port):
    def moved(match):
        link = match[3].strip(b'"\' \t\r\n')
        try: target, _, fragment = urljoin(url, link.decode()).partition('#')
        except ValueError: target, fragment = '', ''
        for form in (target, target.replace('http:', 'https:', 1)):
            if form not in host: continue
            # wget2 1.99 takes a.html#b:c for the host a.html and would spend a minute asking DNS for such names.
            if host[form] == host[url] and b'//' not in link and ':' not in fragment: return match[0]
            return match[1] + match[2] + f'"http://{host[form]}:{port}{urlsplit(form).path}"'.encode()
        return match[1] + match[2] + b'"#"'
    return ATTRIBUTE.sub(moved, ELSEWHERE.sub(b'', body))


def main():
    source, out, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
    pages = pages_of(source)
    host = choose(pages, int(sys.argv[4]) if len(sys.argv) > 4 else 12000)
    starts = {}
    for url in host:
        path = urlsplit(url).path
        file = f'{out}/{host[url]}{unquote(path)}'
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, 'wb') as f: f.write(rewrite(url, pages[url], host, port))
        rank = (not path.endswith('/index.html'), path.count('/'))
        best, paths = starts.get(host[url], (rank, []))
        starts[host[url]] = (best, paths + [path]) if rank == best else min((best, paths), (rank, [path]))
    links = [f'<a href="http://{h}:{port}{p}">{h}</a>' for h, (_, paths) in starts.items() for p in paths]
    with open(f'{out}/127.0.0.2/hub.html', 'w') as f: f.write('<title>Hub</title>\n' + '\n'.join(links))
    with open(f'{out}/hosts', 'w') as f: f.write('\n'.join(starts) + '\n')
    print(f'{len(host)} pages, {sum(len(pages[u]) for u in host) / 1e6:.0f} MB, on {len(starts)} hosts')


main()
