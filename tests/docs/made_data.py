"""The files that the command lines of the documents name, made small: webs, labels, sessions, logs, papers.

Every web has the addresses that the documents name and about a hundred pages around them, each with words of its
subject, so that strategies, judges and learners have something to find. The same files are made each time."""
import gzip
import pathlib
import random
import subprocess

WORDS = """about after again also been between both came city come could country day different does each end even
every example find first form found give good great group hand help here house idea important just kind know large
last later learn left letter life light line list little live long look made make many mean might money more most
mountain move much must name near need never next night number often old once only open order other over page paper
part people place plant point power present public question reason right river road room school second see several
show side since small something sometimes sound start state still story study such sure table take tell than thing
think though thought through time together town tree turn under until very voice walk watch water week well went
whole why wind word work world write year young""".split()

TRANSACTIONS = """A transaction groups several changes so that they commit together.
COMMIT ends the transaction and makes its changes permanent.
ROLLBACK undoes every change of the transaction.
SAVEPOINT marks a place inside a transaction to which ROLLBACK TO SAVEPOINT returns.
The isolation level serializable hides the changes of other transactions.
Read committed is the default isolation level of a transaction.
An exclusive lock keeps every other transaction from the table.
A shared lock allows other transactions to read but not to write.
The write ahead log keeps a transaction that was committed before a crash.
Two transactions that wait for the lock of each other are a deadlock.
BEGIN TRANSACTION starts a transaction, and COMMIT or ROLLBACK ends it.
A transaction that was prepared can be committed or rolled back later.""".split("\n")

SUBJECTS = {
    "birds": "bird species feather nest wing egg flight beak plumage flightless prey migration song chick",
    "food": "bread cheese recipe oven flour taste cook butter soup spice meal kitchen vegetable",
    "geology": "rock mineral crystal volcano sediment crust granite fossil basalt erosion magma layer",
    "space": "planet orbit star telescope galaxy rocket moon comet astronaut satellite nebula",
    "ancient-history": "empire pharaoh temple legion senate emperor pyramid bronze dynasty oracle",
    "countries": "population capital border parliament export climate region government economy language",
    "mammals": "mammal fur milk herd hoof predator whale bat burrow antler",
    "course": "course lecture homework exam syllabus assignment grading textbook section instructor",
    "faculty": "professor research publications university interests teaching journal award laboratory",
    "student": "student graduate advisor resume hobby friends homepage photo thesis favourite",
    "department": "department admission program seminar building computer science office degree",
    "staff": "staff system administrator support phone machine room schedule",
    "modules": "module function class argument returns string iterator exception import package",
    "regex": "regular expression pattern match group greedy backslash character repetition anchor",
    "databases": "query column index view trigger schema integer statement planner vacuum",
}


def page(title, subject, links, chance):
    """A page about a subject that links to (address, words) pairs."""
    if subject == "transactions":
        text = " ".join(chance.sample(TRANSACTIONS, 9))
    else:
        words = SUBJECTS[subject].split() * 4 + chance.sample(WORDS, 40)
        chance.shuffle(words)
        text = " ".join(words) + "."
    items = "".join(f'<li><a href="{address}">{words}</a></li>' for address, words in links)
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p><ul>{items}</ul></body></html>"


class Web:
    """Pages by address, packed into an archive by the program itself."""

    def __init__(self, seed):
        self.pages = {}  # address: [title, subject, [(address, words)]]
        self.chance = random.Random(seed)

    def add(self, address, title, subject):
        self.pages.setdefault(address, [title, subject, []])
        return address

    def link(self, source, target):
        links = self.pages[source][2]
        if source != target and target not in [address for address, _ in links]:
            links.append((target, self.pages[target][0]))

    def link_at_random(self, subject, count):
        """Every page of a subject links to some others of it."""
        own = [address for address, entry in self.pages.items() if entry[1] == subject]
        for address in own:
            for other in self.chance.sample(own, min(count, len(own))):
                self.link(address, other)

    def pack(self, dowser, folder, to):
        roots = []
        for address, (title, subject, links) in self.pages.items():
            scheme, _, host, path = address.split("/", 3)
            root = folder / host
            if (scheme, host) not in roots:
                roots.append((scheme, host))
            file = root / (path if path and not path.endswith("/") else path + "index.html")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(page(title, subject, links, self.chance))
        folders = [str(folder / host) for _, host in roots]
        hosts = [word for scheme, host in roots
                 for word in ("--host", host if scheme == "http:" else scheme + "//" + host)]
        to.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([dowser, "pack", *folders, *hosts, "--date", "2026-11-01T00:00:00Z", "--to", to], check=True,
                       stdout=subprocess.DEVNULL)


def quickstart_web(clicks):
    """What ./quickstart leaves: three manuals, with the pages and links of the sessions in examples/."""
    web = Web(1)
    hosts = {"https://docs.python.org/3/": "modules", "https://www.sqlite.org/": "databases",
             "https://www.postgresql.org/docs/15/": "databases"}
    for host, subject in hosts.items():
        web.add(host + "index.html", "Front page of " + host, subject)
    sessions = [line.split("\t") for line in clicks.read_text().splitlines()[1:]]
    for _, _, _, goal, _ in sessions:
        web.add(goal, pathlib.Path(goal).stem, "transactions")
    for _, _, _, _, way in sessions:
        history = []
        for click in way.split(" "):
            if click == "<":
                history.pop()
                continue
            host = next(h for h in hosts if click.startswith(h))
            web.add(click, pathlib.Path(click).stem, hosts[host])
            if history:
                web.link(history[-1], click)
            web.link(click, host + "index.html")
            history.append(click)
    names = ["lang_savepoint", "lockingv3", "atomiccommit", "tempfiles", "pragma", "rescode", "transactional", "psow"]
    more = [web.add(f"https://www.sqlite.org/{name}.html", name, "transactions") for name in names]
    names = ["mvcc", "mvcc-intro", "applevel-consistency", "mvcc-caveats", "sql-commit", "sql-rollback", "sql-lock",
             "sql-savepoint", "sql-set-transaction", "hot-standby", "view-pg-locks", "runtime-config-locks"]
    for name in names:
        more.append(web.add(f"https://www.postgresql.org/docs/15/{name}.html", name, "transactions"))
        web.pages[more[-1]][1] = "transactions"  # also if it is on the way to a goal
    for address in more:
        for other in web.chance.sample(more, 5):
            if other.split("/")[2] == address.split("/")[2]:
                web.link(address, other)
    for host in hosts:
        own = [address for address in web.pages if address.startswith(host)]
        for address in own:
            if web.pages[address][1] == "transactions":
                web.link(web.chance.choice(own), address)
    for name, to in {"lang_savepoint": "lang_transaction", "lockingv3": "wal"}.items():
        web.link(f"https://www.sqlite.org/{to}.html", f"https://www.sqlite.org/{name}.html")
    for host, subject in hosts.items():
        for number in range(40):
            kind = "regex" if subject == "modules" and number < 8 else subject
            address = web.add(f"{host}other{number}.html", f"{kind} {number}", kind)
            web.link(host + "index.html" if number < 8 else f"{host}other{number // 5}.html", address)
            web.link(address, host + "index.html")
    return web


def schools_web():
    """Countries, from which articles on the labelled topics can be reached. Returns also the labels."""
    web, labels = Web(2), {}
    at = "http://schools-wikipedia.org/wp/"
    names = {topic: [f"{topic.title().replace('-', '_')}_{n}" for n in range(26)]
             for topic in ("birds", "food", "geology", "space", "ancient-history")}
    names["birds"][:5] = ["Bird", "Parrot", "Penguin", "Ostrich", "Owl"]
    names["mammals"] = ["Bat", "Animal", "Whale", "Yak"]
    names["countries"] = ["Europe"] + [f"Country_{n}" for n in range(30)]
    own = {topic: [web.add(f"{at}{name[0].lower()}/{name}.htm", name.replace("_", " "), topic) for name in some]
           for topic, some in names.items()}
    countries = own["countries"]
    for country in countries:
        for other in web.chance.sample(countries, 6):
            web.link(country, other)
            web.link(other, country)
        for topic in own:
            web.link(country, web.chance.choice(own[topic]))
    for topic in own:
        web.link_at_random(topic, 5)
    for topic in ("birds", "food", "geology", "space", "ancient-history"):
        labels.update((address, topic) for address in own[topic])
    return web, labels


def webkb_web():
    """Universities with courses, faculty, students and staff. Returns also the labels, with a third column."""
    web, labels = Web(3), {}
    hosts = {"www.cs.cornell.edu": "cornell", "www.cs.washington.edu": "washington", "www.cs.utexas.edu": "texas",
             "www.cs.wisc.edu": "wisconsin"}
    fronts = []
    for host, place in hosts.items():
        front = web.add(f"http://{host}/", "Department of " + place, "department")
        labels[front] = ("department", place)
        fronts.append(front)
        for kind in ("course", "faculty", "student", "staff", "department"):
            listing = web.add(f"http://{host}/{kind}.html", kind + " list", "department")
            labels[listing] = ("department", place)
            web.link(front, listing)
            for n in range(14):
                address = web.add(f"http://{host}/{kind}/{n}.html", f"{kind} {n}", kind)
                labels[address] = (kind, place)
                web.link(listing, address)
                web.link(address, front)
    for front in fronts:
        for other in fronts:
            web.link(front, other)
    for kind in ("course", "faculty", "student", "staff"):
        web.link_at_random(kind, 3)
    return web, labels


def pdf(lines):
    """A PDF of one page. The size of its type makes the first line the title."""
    text = "BT /F1 18 Tf 72 740 Td (%s) Tj /F1 11 Tf " % lines[0] + "".join(
        f"0 -20 Td ({line}) Tj " for line in lines[1:]) + "ET"
    text += "\n" + "% padding\n" * 1000  # smaller files are not fetched
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
               " /Resources << /Font << /F1 5 0 R >> >> >>",
               f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
               "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    out, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    return (out + f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{table}trailer\n"
            f"<< /Size {len(places) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n").encode()


PAPER = ["Hidden Markov Models of Browsing", "Ada Lovelace and Charles Babbage", "Abstract",
         "We describe a hidden markov model of how people browse.", "1 Introduction",
         "A hidden markov model has states that nobody sees.", "2 Related work", "Others used it for speech.",
         "3 Conclusion", "The hidden markov model works.", "References",
         "[1] A. Author. A title of a paper. Journal of Papers, 1999.",
         "[2] B. Author. Another title. Proceedings of Things, 2001."]

POSTSCRIPT = "%!PS-Adobe-3.0\n/Helvetica findfont 12 scalefont setfont\n" + "".join(
    f"72 {740 - 20 * n} moveto ({line}) show\n" for n, line in enumerate(PAPER)) + "showpage\n"


def tsv(path, rows):
    path.write_text("".join("\t".join(row) + "\n" for row in rows))


def access_log(day):
    lines = []
    ways = [["/", "/shop/", "/shop/lamp"], ["/", "/news/", "/shop/lamp"], ["/", "/shop/", "/shop/chair"]]
    for visitor in range(12):
        for minute, path in enumerate(way := ways[visitor % 3]):
            before = "http://example.org" + way[minute - 1] if minute else "-"
            lines.append(f'10.0.0.{visitor} - - [{day:02d}/Nov/2026:10:0{minute}:{visitor:02d} +0000] '
                         f'"GET {path} HTTP/1.1" 200 512 "{before}" "Mozilla/5.0 (X11; Linux)"')
    return "\n".join(lines) + "\n"


def make(dowser, folder, source):
    """Everything that does not belong to a single document, in `folder`."""
    work = folder / ".webs"
    quickstart_web(source / "examples/transactions-clicks.tsv").pack(
        dowser, work / "quickstart", folder / "build/quickstart/web.warc.gz")

    schools, topics = schools_web()
    schools.pack(dowser, work / "schools", folder / "schools.warc.gz")
    tsv(folder / "schools-labels.tsv", sorted(topics.items()))
    countries = [a for a, entry in schools.pages.items() if entry[1] == "countries"]
    rows = [["user", "started", "seconds", "target", "clicks"]]
    for number, goal in enumerate(sorted(topics) * 2):
        way = schools.chance.sample(countries, 2)
        near = [a for a, entry in schools.pages.items() if goal in [address for address, _ in entry[2]]]
        rows.append([f"user{number}", str(1297090819 + number), "60", goal, " ".join([*way, near[0], goal])])
    with gzip.open(folder / "schools-sessions.tsv.gz", "wt") as out:
        out.write("".join("\t".join(row) + "\n" for row in rows))

    webkb, classes = webkb_web()
    webkb.pack(dowser, work / "webkb", folder / "webkb.warc.gz")
    tsv(folder / "webkb-labels.tsv", [[a, *both] for a, both in sorted(classes.items())])

    tsv(folder / "miniweb-pages.tsv", [[a, a.split("/")[2], entry[0]] for a, entry in sorted(schools.pages.items())])
    tsv(folder / "miniweb-topics.tsv", [["birds", "bird|penguin|parrot|owl"], ["space", "space"]])
    (folder / "miniweb.warc.gz").symlink_to("schools.warc.gz")
    (folder / "miniweb-seeds.txt").write_text("\n".join(countries) + "\n")

    (folder / "paper.pdf").write_bytes(pdf(PAPER))
    (folder / "thesis.ps.gz").write_bytes(gzip.compress(POSTSCRIPT.encode()))
    (folder / "access.log").write_text(access_log(17))
    (folder / "access.log.1.gz").write_bytes(gzip.compress(access_log(16).encode()))
    (folder / "page.html").write_text(page("Wings", "birds", [], random.Random(4)))
    (folder / "robots.txt").write_text("User-agent: *\nDisallow: /cgi-bin/\n")
    for name, subject in (("texts", "birds"), ("others", "food")):
        for number in range(8):
            file = folder / name / f"{number}.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(page(f"{name} {number}", subject, [], random.Random(number)))
    with gzip.open(folder / "content.rdf.u8.gz", "wt") as out:
        out.write("""<?xml version='1.0' encoding='UTF-8' ?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
<Topic r:id="Top/Computers/Computer_Science"><catid>4</catid><link r:resource="http://www.cs.cornell.edu/"/></Topic>
<ExternalPage about="http://www.cs.cornell.edu/"><d:Title>Cornell</d:Title>
<d:Description>Department</d:Description><topic>Top/Computers/Computer_Science</topic></ExternalPage>
</RDF>
""")
