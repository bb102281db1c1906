#!/bin/bash
# azure-core 1.41.0: a POST that may have been done is sent again, one that was refused unread is
# not: four requests after 500, one after 429.
#
# RetryPolicy repeats 408, 429, 500, 502, 503 and 504, and has a list of methods for that, without
# POST and PATCH. For those two it makes an exception of 500, 503 and 504: a server that failed
# after the work was done gets the order three times more. 429, where the server has said that it
# did not begin, and 408 are no exception: the client of a service that sheds load raises at once.
# With a Retry-After the list of methods does not count at all, nor the list of statuses: then each
# response from 400 on is sent again, a 401 and a 404 too. The documents have the statuses, and
# methods as an allowlist; the exception is in neither.
#
# Expected below, of one POST: requests that arrive for each status, without and with a Retry-After
# of 1 s: 408 1 and 4, 429 1 and 4, 500 4 and 4, 502 1 and 4, 503 4 and 4, 504 4 and 4, 401 and 404
# 1 and 4. Exits with 1 if that changes. Pauses are not slept, and no request leaves the process.
# Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile azure-core==1.41.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import io, time
from importlib.metadata import version

time.sleep = lambda _: None
import requests
from azure.core import PipelineClient
from azure.core.pipeline.policies import RetryPolicy
from azure.core.pipeline.transport import RequestsTransport
from azure.core.rest import HttpRequest


class Service(requests.adapters.HTTPAdapter):
    arrived, status, headers = 0, 200, {}

    def send(self, request, **_):
        Service.arrived += 1
        response = requests.Response()
        response.status_code = self.status
        response.headers = requests.structures.CaseInsensitiveDict(
            self.headers | {"Content-Length": "0"})
        response.raw, response.request, response.url = io.BytesIO(), request, request.url
        response._content = b""
        return response


session = requests.Session()
session.mount("https://", Service())
client = PipelineClient("https://service.test", policies=[RetryPolicy()],
                        transport=RequestsTransport(session=session, session_owner=False))
print("azure-core", version("azure-core"))
changed = False
for status, expected in {
    408: (1, 4), 429: (1, 4), 500: (4, 4), 502: (1, 4), 503: (4, 4), 504: (4, 4), 401: (1, 4),
    404: (1, 4)
}.items():
    seen = []
    for headers in ({}, {"Retry-After": "1"}):
        Service.arrived, Service.status, Service.headers = 0, status, headers
        response = client.send_request(HttpRequest("POST", "https://service.test/orders", json={}))
        assert response.status_code == status
        seen.append(Service.arrived)
    changed |= tuple(seen) != expected
    print(f"POST answered {status}: {seen[0]} requests, with Retry-After {seen[1]}")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
