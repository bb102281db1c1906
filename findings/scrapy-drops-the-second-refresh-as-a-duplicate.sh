#!/bin/bash
# Scrapy 2.19.0: the second refresh of a token is dropped as a duplicate, and the crawl of an API
# ends there, "finished" and without an error; so is each call that is sent again after a 401.
#
# The duplicate filter, on by itself, drops a request with the method, address and body of an
# earlier one; headers do not count. A refresh with a refresh token that stays the same is such a
# request from the second on, and so is a call that was refused and is repeated with the new token.
# The callback is never called, nothing is raised, and one line at level DEBUG says that no more
# duplicates will be shown. The spider has nothing left to do: a listing is cut off at the second
# end of a token, with "finish_reason: finished". A short crawl, with one token, is complete. With
# dont_filter the requests are sent, as it is with retries of Scrapy's own, which set it. The
# documents have the filter for pages, and do not name tokens.
#
# Expected below, of a listing of six pages whose token ends at the third and the fifth: pages,
# token requests, dropped, errors and reason are 2, 1, 1, 0 and finished; 2, 2, 1, 0 and finished with
# dont_filter for tokens; 6, 3, 0, 0 and finished with dont_filter for pages, too. Exits with 1 if
# that changes. The server is on this machine; needs python3 and PyPI; everything stays in a
# temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile Scrapy==2.19.0
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, sys, threading
from importlib.metadata import version

import scrapy
from scrapy.crawler import CrawlerProcess

filtered = {"token": sys.argv[1] == "no", "pages": sys.argv[1] in ("no", "token")}
ending, tokens, pages = {"/3", "/5"}, [], []


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        tokens.append(f"token-{len(tokens) + 1}")
        self.respond(200, {"access_token": tokens[-1]})

    def do_GET(self):
        if self.path in ending:  # the token ends just before this page
            ending.remove(self.path)
            tokens_ended.add(tokens[-1])
        is_good = self.headers["Authorization"].split()[1] not in tokens_ended
        self.respond(200 if is_good else 401, {"page": self.path})

    def respond(self, status, body):
        body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


tokens_ended = set()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"


class Listing(scrapy.Spider):
    name, handle_httpstatus_list, access_token = "listing", [401], None

    async def start(self): yield self.refresh(1)

    def refresh(self, page):
        return scrapy.FormRequest(
            base + "/token", formdata={"grant_type": "refresh_token", "refresh_token": "r"},
            callback=self.refreshed, cb_kwargs={"page": page},
            dont_filter=not filtered["token"])

    def call(self, page):
        return scrapy.Request(
            f"{base}/{page}", headers={"Authorization": "Bearer " + self.access_token},
            callback=self.parse, cb_kwargs={"page": page}, dont_filter=not filtered["pages"])

    def refreshed(self, response, page):
        self.access_token = response.json()["access_token"]
        yield self.call(page)

    def parse(self, response, page):
        if response.status == 401:
            yield self.refresh(page)
            return
        pages.append(page)
        if page < 6:
            yield self.call(page + 1)


process = CrawlerProcess({"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False})
crawler = process.create_crawler(Listing)
process.crawl(crawler)
process.start()
stats = crawler.stats.get_stats()
print(f"Scrapy {version('Scrapy')}:", len(pages), "pages,", len(tokens), "token requests,",
      stats.get("dupefilter/filtered", 0), "dropped,", stats.get("log_count/ERROR", 0), "errors,",
      stats["finish_reason"])
PYTHON
for without in no token all; do
    "$folder/venv/bin/python3" "$folder/try.py" $without | tee -a "$folder/seen"
done
diff - "$folder/seen" <<'EXPECTED'
Scrapy 2.19.0: 2 pages, 1 token requests, 1 dropped, 0 errors, finished
Scrapy 2.19.0: 2 pages, 2 token requests, 1 dropped, 0 errors, finished
Scrapy 2.19.0: 6 pages, 3 token requests, 0 dropped, 0 errors, finished
EXPECTED
