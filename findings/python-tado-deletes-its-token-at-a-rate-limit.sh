#!/bin/bash
# python-tado 1.0.0: a start that meets a rate limit, or a server in trouble for a moment, throws
# the stored refresh token away and asks a person to sign in; each restart under the limit does so.
#
# A start refreshes with the token of its file and then asks /me. Where /me fails, however it fails,
# the file is removed, and a sign-in with a code begins; the refresh token in it was new, the one
# before it is spent. A free account has a hundred calls a day: the restart of a job that has used
# them up is a sign-out, and what is missing is a person with a browser, though nothing was wrong
# with either token. A refresh that is answered 503 keeps the file, and asks a person too; in a
# running process the same 503 is TadoWrongCredentialsException.
#
# Expected below, of a start with a good token: with a server that is well COMPLETED, the new token
# in the file, and no sign-in; with 429 or 503 for /me PENDING, 1 sign-in and no file; with 503 for
# the refresh PENDING, 1 sign-in and the old token in the file. Exits with 1 if that changes. No
# request leaves the process. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile python-tado==1.0.0 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import json, logging, pathlib, sys
from importlib.metadata import version

import requests
from PyTado.interface import Tado

logging.disable()
file = pathlib.Path(sys.argv[1]) / "token"
statuses, sign_ins = {}, 0


def send(adapter, request, **_):
    """The server: a token that rotates, a sign-in by device, and an API."""
    global sign_ins
    path = request.url.split("?")[0].rsplit("/", 1)[1]
    status = statuses.get(path, 200)
    body = {"errors": [{"code": "later"}]}
    if status == 200:
        sign_ins += path == "device_authorize"
        body = {
            "token": {"access_token": "a", "refresh_token": "refresh-1", "expires_in": 600},
            "device_authorize": {"user_code": "code", "device_code": "c", "expires_in": 300,
                                 "interval": 5, "verification_uri": "https://login.example"},
            "me": {"homes": [{"id": 1}]},
        }.get(path, {})
    response = requests.Response()
    response.status_code, response.request, response.url = status, request, request.url
    response.headers["Content-Type"] = "application/json"
    response._content = json.dumps(body).encode()
    return response


requests.adapters.HTTPAdapter.send = send
print("python-tado", version("python-tado"))
changed = False
for name, answers, expected in (
    ("well", {}, ("COMPLETED", 0, "refresh-1")), ("429 for /me", {"me": 429}, ("PENDING", 1, None)),
    ("503 for /me", {"me": 503}, ("PENDING", 1, None)),
    ("503 for the refresh", {"token": 503}, ("PENDING", 1, "refresh-0")),
):
    statuses, sign_ins = answers, 0
    file.write_text(json.dumps({"refresh_token": "refresh-0"}))
    client = Tado(token_file_path=str(file))
    stored = json.loads(file.read_text())["refresh_token"] if file.exists() else None
    seen = client.device_activation_status().name, sign_ins, stored
    changed |= seen != expected
    print(f"{name}: {seen[0]}, sign-ins: {seen[1]}, in the file: {seen[2]}")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"
