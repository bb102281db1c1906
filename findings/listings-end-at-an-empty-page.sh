#!/usr/bin/env bash
# increase 0.552.0 and orb-billing 4.90.0: a listing ends at the first empty page, though the page
# names the next one, and the rest is missing without an error.
#
# A server that filters after it has read a page, or finds its items deleted meanwhile, sends a page
# of nothing with a cursor to go on. The iterators of these clients ask whether a page has items
# before they look at its cursor, which increase documents as "a pointer to a place in the list".
# The shorter the pages and the rarer the match, the more is lost: a sum over such a listing is
# wrong, and a sync believes that the rest was deleted. modern-treasury 1.80.0, of the same
# generator, goes on to the last page.
#
# Expected below, of pages of two items, none and one, of which the first two have a cursor: 2 items
# of 3 and 2 requests with two of the clients, 3 and 3 with modern-treasury. Exits with 1 if that
# changes. The server is on this machine; needs python3 and PyPI; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile \
    increase==0.552.0 orb-billing==4.90.0 modern-treasury==1.80.0
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, threading, urllib.parse
from importlib.metadata import version

import increase, modern_treasury, orb

PAGES = [["a", "b"], [], ["c"]]
requests = 0


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def respond(self, value, **headers):
        global requests
        requests += 1
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        address = urllib.parse.urlparse(self.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        page = int(query.get("cursor") or query.get("after_cursor") or 0)
        items = [{"id": name} for name in PAGES[page]]
        following = str(page + 1) if page < 2 else None
        if "counterparties" in address.path:
            return self.respond(items, **({"X_After_Cursor": following} if following else {}))
        self.respond({
            "data": items, "next_cursor": following,
            "pagination_metadata": {"has_more": page < 2, "next_cursor": following}})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"


def ids(items): return [item.id for item in items]


changed = False
for package, list_all, expected in (
    ("increase", lambda: ids(
        increase.Increase(api_key="k", base_url=address).accounts.list()), (["a", "b"], 2)),
    ("orb-billing", lambda: ids(
        orb.Orb(api_key="k", base_url=address).customers.list()), (["a", "b"], 2)),
    ("modern-treasury", lambda: ids(modern_treasury.ModernTreasury(
        api_key="k", organization_id="o", base_url=address).counterparties.list()),
     (["a", "b", "c"], 3)),
):
    requests = 0
    seen = list_all(), requests
    changed |= (seen[0], requests) != expected
    print(package, version(package) + ":", len(seen[0]), "items of 3 in", requests, "requests")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
