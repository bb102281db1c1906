#!/bin/bash
# azure-core 1.41.0: eight threads that share a client ask for eight tokens when one has ended,
# eight tasks ask for one.
#
# AsyncBearerTokenCredentialPolicy has a lock, and looks again when it has it. Its twin for threads,
# BearerTokenCredentialPolicy, compares and asks, and the credentials of azure-identity below it
# have no lock either. So a service with threads sends as many requests for a token as it has calls
# under way, at each end of one, all at one moment; its twin with asyncio, of the same code and
# load, one. A test with one call at a time does not show it.
#
# Expected below, of a token that has 10 s to live, which counts as ended, and eight calls at one
# moment: the credential is asked 8 times by threads and once by tasks. Exits with 1 if that
# changes. No request leaves the process. Needs python3 and PyPI; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile azure-core==1.41.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import asyncio, io, threading, time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import requests
from azure.core import AsyncPipelineClient, PipelineClient
from azure.core.credentials import AccessToken
from azure.core.pipeline.policies import (
    AsyncBearerTokenCredentialPolicy, BearerTokenCredentialPolicy)
from azure.core.pipeline.transport import AsyncioRequestsTransport, RequestsTransport
from azure.core.rest import HttpRequest

CALLS = 8
asked, lock = [], threading.Lock()


def new_token():
    """A token of ten seconds first, which counts as ended, then tokens of an hour."""
    with lock:
        asked.append(1)
        life = 10 if len(asked) == 1 else 3600
        return AccessToken(f"token-{len(asked)}", int(time.time()) + life)


class Credential:
    def get_token(self, *scopes, **_):
        time.sleep(0 if not asked else 0.5)
        return new_token()


class AsyncCredential:
    async def get_token(self, *scopes, **_):
        await asyncio.sleep(0 if not asked else 0.5)
        return new_token()

    async def close(self): pass
    async def __aenter__(self): return self
    async def __aexit__(self, *_): pass


class Service(requests.adapters.HTTPAdapter):
    def send(self, request, **_):
        response = requests.Response()
        response.status_code = 200
        response.headers["Content-Length"] = "0"
        response.raw, response.request, response.url = io.BytesIO(), request, request.url
        response._content = b""
        return response


session = requests.Session()
session.mount("https://", Service())
ITEMS = HttpRequest("GET", "https://service.test/items")


def threads():
    asked.clear()
    client = PipelineClient(
        "https://service.test", policies=[BearerTokenCredentialPolicy(Credential(), "scope")],
        transport=RequestsTransport(session=session, session_owner=False))
    client.send_request(ITEMS)
    with ThreadPoolExecutor(CALLS) as pool:
        list(pool.map(lambda _: client.send_request(ITEMS), range(CALLS)))
    return len(asked) - 1


async def tasks():
    asked.clear()
    client = AsyncPipelineClient(
        "https://service.test",
        policies=[AsyncBearerTokenCredentialPolicy(AsyncCredential(), "scope")],
        transport=AsyncioRequestsTransport(session=session, session_owner=False))
    await client.send_request(ITEMS)
    await asyncio.gather(*(client.send_request(ITEMS) for _ in range(CALLS)))
    return len(asked) - 1


print("azure-core", version("azure-core"))
seen = threads(), asyncio.run(tasks())
print(f"{CALLS} calls at one moment with a token that is over: {seen[0]} tokens asked for by",
      f"threads, {seen[1]} by tasks")
raise SystemExit(seen != (CALLS, 1))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
