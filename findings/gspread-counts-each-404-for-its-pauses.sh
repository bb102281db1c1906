#!/bin/bash
# gspread 6.2.1 with BackOffHTTPClient (Google Sheets): seven sheets that are not there, and the
# next rate limit is a pause of two minutes; a server in trouble is asked for hours.
#
# The client doubles its pause with each error, up to 128 s. The count goes up with each response
# that is an error, also with those that are not tried again, a sheet that is not there or a range
# that is wrong, and is set back by a retry that succeeds, not by a call that does. So a job that
# looks for what may be missing has used up its short pauses by the time of its first 429, and waits
# 128 s where two would do. The other end does not work either: it is to give up when the pause is
# longer than 128 s, which a pause that is cut to 128 s never is, so a call of a job or of a web
# page does not come back for hours while the server answers 503. append is sent again after a 500
# as well; where the rows had been written they are there twice.
#
# Expected below, of a 429 and then 200: a pause of 2 s; of the same after seven 404 with calls that
# succeed between them 128 s; of 40 times 503: pauses of 2, 4, 8 s and so on, 34 of them of 128 s,
# and no error; of an append whose rows were written and that is answered 500 2 writes. Exits with 1
# if that changes. Pauses are noted and not slept, and no request leaves the process. Needs python3
# and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile gspread==6.2.1 google-auth==2.63.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import json, types
from importlib.metadata import version

import gspread, requests
from gspread import http_client

pauses = []
http_client.time = types.SimpleNamespace(sleep=pauses.append)


class Server(requests.adapters.BaseAdapter):
    """Answers with the statuses that it was given, in their order, and then 200."""

    def __init__(self, *statuses):
        super().__init__()
        self.statuses, self.arrived = list(statuses), []

    def send(self, request, **_):
        self.arrived.append(request.method)
        status = self.statuses.pop(0) if self.statuses else 200
        response = requests.Response()
        response.status_code, response.request, response.url = status, request, request.url
        response._content = json.dumps({} if status == 200 else {
            "error": {"code": status, "message": "no", "status": "NO"}}).encode()
        return response

    def close(self): pass


def begin(*statuses):
    pauses.clear()
    server, session = Server(*statuses), requests.Session()
    session.mount("https://", server)
    return server, gspread.BackOffHTTPClient(None, session)


def get(client):
    return client.values_get("sheet", "A1")


print("gspread", version("gspread"))
seen = {}
_, client = begin(429)
get(client)
seen["first 429"] = pauses[:]
_, client = begin(*(404, 200) * 7, 429)
missing = 0
for _ in range(15):
    try:
        get(client)
    except gspread.exceptions.APIError:
        missing += 1
seen["429 after seven 404"] = pauses[:]
assert missing == 7
server, client = begin(*[503] * 40)
get(client)
seen["40 times 503"] = pauses[:6] + [f"{pauses.count(128)} of 128 s"]
server, client = begin(500)
client.values_append("sheet", "A1", {}, {"values": [[1]]})
seen["writes of an append"] = len(server.arrived)
for name, value in seen.items():
    print(f"{name}:", value)
raise SystemExit([*seen.values()] != [
    [2], [128], [2, 4, 8, 16, 32, 64, "34 of 128 s"], 2])
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
