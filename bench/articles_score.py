import json, re, sys, collections
truth = json.load(open(sys.argv[1])); found = json.load(open(sys.argv[2]))
def grams(t, n=4):
    w = re.findall(r'\w+', t or '', re.U)
    return collections.Counter(tuple(w[i:i+n]) for i in range(0, max(1, len(w)-n+1))) if w else collections.Counter()
ps, rs, rows = [], [], []
for k, v in truth.items():
    a, b = grams(v['articleBody']), grams(found.get(k, {}).get('articleBody', ''))
    tp = sum((a & b).values()); fp = sum((b - a).values()); fn = sum((a - b).values())
    if tp == fp == fn == 0: p = r = 1.0
    else:
        p = tp / (tp + fp) if tp + fp else (1.0 if fn == 0 else 0.0)
        r = tp / (tp + fn) if tp + fn else 1.0
    ps.append(p); rs.append(r); rows.append((p, r, k, v.get('url', '')))
P, R = sum(ps) / len(ps), sum(rs) / len(rs)
print(f'F1 {2*P*R/(P+R):.4f}  precision {P:.4f}  recall {R:.4f}')
if len(sys.argv) > 3:
    for p, r, k, u in sorted(rows, key=lambda x: 2*x[0]*x[1]/(x[0]+x[1]+1e-9))[:int(sys.argv[3])]: print(f'{p:.2f} {r:.2f} {k[:10]} {u[:100]}')
