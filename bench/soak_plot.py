"""Draws the samples of bench/soak: memory, open descriptors and pages over time, and a mark for each disturbance."""
import html

WIDTH, LEFT, PANEL, GAP = 900, 70, 150, 40
PANELS = (('resident memory, MB', 5, '#06c'), ('open descriptors', 6, '#c30'), ('pages fetched', 3, '#393'))
MARKS = {'kill': '#c30', 'interrupt': '#e90', 'cut': '#939', 'full': '#000', 'jump': '#393', 'failure': '#f0f'}


def svg(rows, events):
    """A panel for each measure; a line for each process, so that a resume begins a new one."""
    if not rows: return '<svg xmlns="http://www.w3.org/2000/svg"/>\n'
    begin, end = rows[0][0], max(rows[-1][0], rows[0][0] + 1)
    x = lambda time: LEFT + (WIDTH - LEFT - 20) * (time - begin) / (end - begin)
    height = len(PANELS) * (PANEL + GAP) + 60
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>']
    for i, (label, column, colour) in enumerate(PANELS):
        top = 30 + i * (PANEL + GAP)
        most = max(max(r[column] for r in rows), 1) * 1.1
        y = lambda value: top + PANEL - PANEL * value / most
        out.append(f'<text x="{LEFT}" y="{top - 8}" font-size="13">{html.escape(label)}</text>')
        for value in (0, most / 2.2, most / 1.1):
            out.append(f'<line x1="{LEFT}" y1="{y(value):.1f}" x2="{WIDTH - 20}" y2="{y(value):.1f}" stroke="#ddd"/>'
                       f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end" fill="#555" font-size="11">{value:.0f}</text>')
        lines = {}
        for row in rows: lines.setdefault(row[1], []).append(f'{x(row[0]):.1f},{y(row[column]):.1f}')
        for points in lines.values():
            if len(points) == 1: points = points * 2
            out.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-linecap="round"/>')
    bottom = len(PANELS) * (PANEL + GAP) + 5
    for time, kind, *_ in events:
        if kind in MARKS and begin <= float(time) <= end:
            out.append(f'<line x1="{x(float(time)):.1f}" y1="{bottom}" x2="{x(float(time)):.1f}" y2="{bottom + 10}" stroke="{MARKS[kind]}"/>')
    for i, (kind, colour) in enumerate(MARKS.items()):
        out.append(f'<text x="{LEFT + 110 * i}" y="{bottom + 28}" fill="{colour}" font-size="11">{kind}</text>')
    out.append(f'<text x="{WIDTH - 20}" y="{bottom + 45}" text-anchor="end" fill="#555" font-size="11">{(end - begin) / 60:.0f} minutes</text>')
    return '\n'.join(out + ['</svg>', ''])
