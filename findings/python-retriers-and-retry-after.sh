#!/usr/bin/env bash
# Retry-After of 2 s, and what four retriers for Python make of it.
#
# urllib3 2.8.0 waits 2 s, and so does retryhttp 1.5.0 after 429, but after 503, which is the status
# that the header was made for, retryhttp draws a wait of its own. httpx-retries 0.6.0 cuts the
# server's wait to its longest one of its own. aiohttp-retry 2.9.1 never reads the header, and like
# retryhttp it sends a POST again, which the other two leave to their caller. So a backend that asks
# its clients for a pause gets it from one library in four.
#
# Expected below: the second request of a GET comes 2 s later with urllib3 after both statuses, and
# with retryhttp after 429; sooner in each other case. aiohttp-retry and retryhttp send a POST
# twice, the others once. Exits with 1 if that changes. A server on this machine answers; needs
# python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install urllib3==2.8.0 requests==2.32.5 retryhttp==1.5.0 \
    httpx==0.28.1 httpx-retries==0.6.0 aiohttp==3.14.5 aiohttp-retry==2.9.1
cat >"$folder/try.py" <<'PYTHON'
import asyncio, http.server, threading, time
from importlib.metadata import version

import aiohttp, aiohttp_retry, httpx, httpx_retries, requests, retryhttp, urllib3

BUSY = (429, 503)


class Server(http.server.BaseHTTPRequestHandler):
    status, arrivals = 503, []

    def do_GET(self):
        self.arrivals.append(time.monotonic())
        self.send_response(self.status if len(self.arrivals) == 1 else 200)
        self.send_header("Retry-After", "2")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *_): pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"


def by_urllib3(method):
    again = urllib3.Retry(3, backoff_factor=0.1, status_forcelist=BUSY)
    urllib3.PoolManager(retries=again).request(method, url)


def by_retryhttp(method):
    @retryhttp.retry(max_attempt_number=3)
    def send():
        requests.request(method, url).raise_for_status()
    send()


def by_httpx_retries(method):
    again = httpx_retries.Retry(total=3, backoff_factor=0.1, max_backoff_wait=0.5)
    httpx.Client(transport=httpx_retries.RetryTransport(retry=again)).request(method, url)


def by_aiohttp_retry(method):
    async def send():
        again = aiohttp_retry.ExponentialRetry(attempts=3, start_timeout=0.1, statuses=set(BUSY))
        async with aiohttp_retry.RetryClient(retry_options=again) as client:
            await client.request(method, url)
    asyncio.run(send())


def waits_as_told(arrivals):
    return None if len(arrivals) == 1 else arrivals[1] - arrivals[0] > 1.9


seen = {}
for package, send in (("urllib3", by_urllib3), ("retryhttp", by_retryhttp),
                      ("httpx-retries", by_httpx_retries), ("aiohttp-retry", by_aiohttp_retry)):
    for method in ("GET", "POST"):
        for status in BUSY:
            Server.status, Server.arrivals = status, []
            send(method)
            waited = [f"{later - sooner:.1f} s" for sooner, later in zip(
                Server.arrivals, Server.arrivals[1:])]
            print(f"{package} {version(package)}: {method}, {status}:",
                  f"sent again after {waited[0]}" if waited else "not sent again")
            seen.setdefault(package, []).append(waits_as_told(Server.arrivals))
raise SystemExit(0 if seen == {
    "urllib3": [True, True, None, None], "retryhttp": [True, False, True, False],
    "httpx-retries": [False, False, None, None], "aiohttp-retry": [False] * 4,
} else 1)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
