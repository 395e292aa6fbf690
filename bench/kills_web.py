"""Writes a made web with sitemaps as a WARC file, to kill crawls of.

    kills_web.py FILE.warc.gz [PAGES=2000]      (called by bench/kills --archive N made)

Twenty hosts with robots.txt and sitemaps, an index of sitemaps, feeds; redirects of one and two steps, some of them from one host
to another; copies, pages that are missing, pages that robots.txt forbids. Start at http://h0.test/0.html.
"""
import gzip, random, sys

file, pages = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
HOSTS, rng = 20, random.Random(11)
words = [f'w{i}' for i in range(5000)]


def host(page): return f'http://h{page % HOSTS}.test'


def address(page): return f'{host(page)}/{page}.html'


def add(out, url, status, kind, body, location=''):
    head = f'HTTP/1.1 {status} -\r\nContent-Type: {kind}\r\n' + (f'Location: {location}\r\n' if location else '') + '\r\n'
    block = (head + body).encode()
    record = (f'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2005-06-01T12:00:00Z\r\n'
              f'WARC-Record-ID: <urn:uuid:{rng.getrandbits(128):032x}>\r\nContent-Type: application/http; msgtype=response\r\n'
              f'Content-Length: {len(block)}\r\n\r\n').encode()
    out.write(gzip.compress(record + block + b'\r\n\r\n', 1, mtime=0))


def text_of(page):
    if page % 10 == 7: return '<title>copy</title>the keeper of the lighthouse lights the lamp that shows the ships their way ' * 3
    topic = 3 if page % 6 == 0 else 25
    return f'<title>page {page}</title>' + ' '.join(
        rng.choice(('lighthouse', 'beacon', 'harbour')) if rng.randrange(topic) == 0 else rng.choice(words) for _ in range(90))


def links_of(page):
    for _ in range(7):
        to = rng.randrange(pages)
        yield rng.choice([f'<a href="{host(to + 1)}/old/{to}">old lighthouse {to}</a>', f'<a href="{host(to)}/private/{to}">private</a>']
                         + 4 * [f'<p><a href="{address(to)}">to {to}</a>'])
    yield f'<a href="{address((page + 1) % pages)}">next</a> <a href="{host(page)}/none/{page}">missing</a>'
    if page % 9 == 4: yield f'<link rel=alternate type="application/rss+xml" href="{host(page)}/feed.xml">'


with open(file, 'wb') as out:
    for n in range(HOSTS):
        rules = f'User-agent: *\nCrawl-delay: 2\nDisallow: /private/\nSitemap: {host(n)}/sitemaps.xml\n'
        if n == 3:
            add(out, f'{host(n)}/robots.txt', 301, 'text/plain', '', f'{host(n)}/rules.txt')
            add(out, f'{host(n)}/rules.txt', 200, 'text/plain', rules)
        elif n != 2: add(out, f'{host(n)}/robots.txt', 200, 'text/plain', rules)
        schema = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        add(out, f'{host(n)}/sitemaps.xml', 200, 'application/xml',
            f'<sitemapindex {schema}><sitemap><loc>{host(n)}/sitemap.xml</loc></sitemap></sitemapindex>')
        add(out, f'{host(n)}/sitemap.xml', 200, 'application/xml', f'<urlset {schema}>' + ''.join(
            f'<url><loc>{address(p)}</loc></url>' for p in range(n, pages, 4 * HOSTS)) + '</urlset>')
        add(out, f'{host(n)}/feed.xml', 200, 'application/rss+xml',
            f'<rss version="2.0"><channel><item><link>{address(n + HOSTS)}</link></item></channel></rss>')
    for page in range(pages):
        add(out, address(page), 200, 'text/html', text_of(page) + ' '.join(links_of(page)))
        direct = f'{host(page + 2)}/older/{page}'
        add(out, f'{host(page + 1)}/old/{page}', 301, 'text/html', 'moved', address(page) if page % 2 else direct)
        add(out, direct, 302, 'text/html', 'moved', address(page))
        add(out, f'{host(page)}/none/{page}', 404 if page % 3 else 500, 'text/html', 'no')
        add(out, f'{host(page)}/private/{page}', 200, 'text/html', 'secret')
