"""A Scrapy spider that follows every link to the named hosts and keeps each answer as a gzip member, as a WARC file does."""
import zlib
from urllib.parse import urlsplit
import scrapy
from scrapy.linkextractors import LinkExtractor


class Everything(scrapy.Spider):
    name = 'everything'
    custom_settings = dict(CONCURRENT_REQUESTS=128, CONCURRENT_REQUESTS_PER_DOMAIN=16, ROBOTSTXT_OBEY=False,
                           AUTOTHROTTLE_ENABLED=False, COOKIES_ENABLED=False, TELNETCONSOLE_ENABLED=False,
                           RETRY_ENABLED=False, LOG_LEVEL='WARNING', REQUEST_FINGERPRINTER_IMPLEMENTATION='2.7',
                           REACTOR_THREADPOOL_MAXSIZE=20,
                           TWISTED_REACTOR='twisted.internet.epollreactor.EPollReactor')

    def __init__(self, hosts, start, out):
        super().__init__()
        self.start_urls, self.seen = [start], {start}
        self.links = LinkExtractor(allow_domains=[f'{h}:{urlsplit(start).port}' for h in hosts.split(',')],
                                   tags=('a', 'area', 'frame', 'iframe'), attrs=('href', 'src'))
        self.file = open(out + '.warc.gz', 'wb')

    def parse(self, response):
        head = f'WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {response.url}\r\nContent-Length: {len(response.body)}\r\n\r\n'
        member = zlib.compressobj(6, zlib.DEFLATED, 31)
        self.file.write(member.compress(head.encode() + response.body + b'\r\n\r\n') + member.flush())
        if isinstance(response, scrapy.http.HtmlResponse):
            for link in self.links.extract_links(response):
                if link.url not in self.seen:  # Scrapy would find out too, but only after making a request of it
                    self.seen.add(link.url)
                    yield scrapy.Request(link.url)

    def closed(self, reason):
        self.file.close()
