"""Seconds and memory of dowser rank: rank_speed.py DOWSER CRAWL"""
import json
import resource
import subprocess
import sys

dowser, crawl = sys.argv[1:3]
out = subprocess.run([dowser, "rank", crawl, "--json"], check=True, stdout=subprocess.PIPE).stdout
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
result = json.loads(out)
print(f"{result['pages']} pages, {result['links_read']} links read, {result['links']} different ones, {memory:.2f} GB")
for phase, seconds in result["seconds"].items():
    print(f"{phase:<20}{seconds:>8.1f} s")
print(f"links read a second: {result['links_read'] / result['seconds']['reading links']:,.0f}")
before = resource.getrusage(resource.RUSAGE_CHILDREN)
best = result["rankings"][0]["pagerank"]["pages"][0]["url"]
subprocess.run([dowser, "rank", crawl, "--like", best], check=True, stdout=subprocess.DEVNULL)
after = resource.getrusage(resource.RUSAGE_CHILDREN)
spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
print(f"links a second of processor time, all of --like: {result['links_read'] / spent:,.0f}")
for ranking in result["rankings"]:
    for name in ("pagerank", "hits"):
        values = ranking[name]
        end = "converged" if values["converged"] else "has not converged"
        print(f"{name} ({ranking['topic'] or 'no topic'}): {end} after {values['steps']} steps")
