"""Runs dowser usage and goaccess on the same logs, and compares what they count. Called by bench/usage."""
import json
import os
import subprocess
import sys
import time


def measured(command):
    """Seconds, processor seconds, peak memory in MB and standard output of a command."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed with {status}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out


def compare(dowser, work, name):
    log = f"{work}/{name}.log"
    lines = int(subprocess.check_output(["wc", "-l", log]).split()[0])
    size = os.path.getsize(log) / 1e6
    wc_seconds, wc_cpu, _, _ = measured(["wc", "-l", log])
    ours_seconds, ours_cpu, ours_memory, out = measured(
        [dowser, "usage", log, "--out", f"{work}/{name}", "--json", "--top", "1000"])
    ours = json.loads(out)
    json_file = f"{work}/{name}.json"
    # The lists of single codes are in the panel's items; no limit, so that all are there.
    theirs_seconds, theirs_cpu, theirs_memory, _ = measured(
        ["goaccess", log, "--log-format=COMBINED", "--no-global-config", "--no-progress", "--max-items=1000",
         "-o", json_file])
    with open(json_file, errors="replace") as file:  # it copies bytes of the log that are no UTF-8
        theirs = json.load(file)
    print(f"{name}: {lines} lines, {size:.0f} MB")
    print(f"  {'':12}{'seconds':>9}{'processor':>11}{'lines/s':>12}{'MB memory':>11}")
    for who, seconds, cpu, memory in (("dowser", ours_seconds, ours_cpu, ours_memory),
                                      ("goaccess", theirs_seconds, theirs_cpu, theirs_memory)):
        print(f"  {who:12}{seconds:9.2f}{cpu:11.2f}{lines / seconds:12.0f}{memory:11.0f}")
    print(f"  {'wc -l':12}{wc_seconds:9.2f}{wc_cpu:11.2f}{lines / wc_seconds:12.0f}")
    print(f"  dowser is {theirs_seconds / ours_seconds:.1f} times as fast as goaccess "
          f"({theirs_cpu / ours_cpu:.1f} times by processor time)")

    codes = {}
    for group in theirs["status_codes"]["data"]:
        for item in group.get("items", []):
            codes[item["data"].split()[0]] = item["hits"]["count"]
    rows = [("hits", ours["hits"], theirs["general"]["valid_requests"]),
            ("damaged", ours["broken_lines"], theirs["general"]["failed_requests"]),
            ("bytes", ours["bytes"], theirs["general"]["bandwidth"])]
    our_codes = {row["name"]: row["count"] for row in ours["statuses"]}
    rows += [(f"status {code}", our_codes.get(code, 0), codes.get(code, 0))
             for code in sorted(set(codes) | set(our_codes))]
    equal = True
    for what, a, b in rows:
        equal &= a == b
        print(f"  {what:14}{a:>16}{b:>16}  {'equal' if a == b else 'DIFFERENT'}")
    for what, a, b in (("visitors", ours["users"], theirs["general"]["unique_visitors"]),
                       ("not found", ours["not_found_hits"], None),
                       ("sessions", ours["sessions"], None)):
        print(f"  {what:14}{a:>16}{b if b is not None else '':>16}")
    return equal


if __name__ == "__main__":
    dowser, work = sys.argv[1:3]
    results = [compare(dowser, work, name) for name in sys.argv[3:]]
    sys.exit(0 if all(results) else 1)
