#!/bin/bash
# dlt 1.31.0, singer-sdk 0.54.9 and airbyte-cdk 7.39.1: from the day on which a server gives at most
# 100 items a page to a loader that asks for 500, a copy has a fifth of the items or fewer, and each
# of the three says that it is complete.
#
# Servers lower a limit that is above their own, as many documents say, and the next release or the
# next plan has another one. dlt's OffsetPaginator and that of singer-sdk go on by what was asked
# for, not by what came: after the items 0 to 99 they ask for 500 on. airbyte-cdk's OffsetIncrement
# goes on by what came, but takes a page that is shorter than it asked for as the last one, so the
# first hundred are all; PageIncrement does the same. A full refresh then deletes the other items at
# its destination. The response states the total, and dlt, which reads it, uses it to know when to
# stop, not whether all has come. A count of rows, beside the total, shows it.
#
# Expected below, of 1,000 items, asked for with a limit of 500: with a server that gives 500 all
# three have 1,000; with one that gives at most 100 dlt has 200, of 2 requests, singer-sdk 200,
# airbyte-cdk 100, of 1 request, without an error. Exits with 1 if that changes. The server is on
# this machine; needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile dlt==1.31.0 singer-sdk==0.54.9 airbyte-cdk==7.39.1 \
    requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, logging, threading, urllib.parse
from importlib.metadata import version

import requests
from airbyte_cdk.sources.declarative.extractors import DpathExtractor
from airbyte_cdk.sources.declarative.requesters.paginators.strategies import OffsetIncrement
from dlt.sources.helpers.rest_client import RESTClient
from dlt.sources.helpers.rest_client.paginators import OffsetPaginator
from singer_sdk import pagination

logging.disable()
ITEMS, ASKED = 1000, 500


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        begin, limit = int(query.get("offset", 0)), min(int(query["limit"]), most)
        arrived.append(begin)
        body = json.dumps({"total": ITEMS, "items": [
            {"id": number} for number in range(begin, min(begin + limit, ITEMS))]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"


def get(offset):
    response = requests.get(f"{base}/items", params={"offset": offset, "limit": ASKED})
    return response, response.json()["items"]


def by_dlt():
    client = RESTClient(base, paginator=OffsetPaginator(limit=ASKED), data_selector="items")
    return [item for page in client.paginate("/items") for item in page]


class UntilEmpty(pagination.OffsetPaginator):
    def has_more(self, response): return bool(response.json()["items"])


def by_singer():
    paginator, items = UntilEmpty(start_value=0, page_size=ASKED), []
    while not paginator.finished:
        response, page = get(paginator.current_value)
        items += page
        paginator.advance(response)
    return items


def by_airbyte():
    extractor = DpathExtractor(field_path=["items"], config={}, parameters={})
    strategy = OffsetIncrement(config={}, page_size=ASKED, extractor=extractor, parameters={})
    offset, items = 0, []
    while offset is not None:
        response, page = get(offset)
        items += page
        offset = strategy.next_page_token(response, len(page), page[-1] if page else None, offset)
    return items


seen = []
for most in (500, 100):
    for name, load in (("dlt", by_dlt), ("singer-sdk", by_singer), ("airbyte-cdk", by_airbyte)):
        arrived = []
        ids = {item["id"] for item in load()}
        seen.append((len(ids), len(arrived)))
        print(f"at most {most} a page: {name} {version(name)} has {len(ids)} of {ITEMS},",
              f"of {len(arrived)} requests, and ends without an error")
raise SystemExit(seen != [(1000, 2), (1000, 3), (1000, 3), (200, 2), (200, 3), (100, 1)])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
