#!/bin/bash
# simple-salesforce 1.12.10: a call whose session has ended is repeated without its own headers; one
# whose session is refused for another reason signs in nearly a thousand times.
#
# Calls of a record type and calls of the connection have a method _call_salesforce each. On 401
# with INVALID_SESSION_ID both sign in and call themselves again, and have a limit of three times.
# The first does not pass the count on, so it begins at 0 each time: a session that is refused for
# something that a sign-in does not change is a loop without a pause, which ends with
# RecursionError, after 980 sign-ins for one call. Both have taken the caller's headers out of the
# arguments by then. So the call that meets the end of a session goes out again without them, and is
# answered 201: with Sforce-Auto-Assign: FALSE a record is assigned just then, and no test sees it.
#
# Expected below: of a create() whose session has ended, the header arrives with the first request
# and not with the second, which is answered 201, after 1 sign-in; while sessions are refused, 1
# query() makes 4 sign-ins and 4 requests, 1 get() of a record more than 100 and RecursionError.
# Exits with 1 if that changes. No request leaves the process. Needs python3 and PyPI; everything
# stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile simple-salesforce==1.12.10 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import json
from importlib.metadata import version

import requests
from simple_salesforce import Salesforce

HEADER = "Sforce-Auto-Assign"


class Organization(requests.adapters.BaseAdapter):
    def __init__(self):
        super().__init__()
        self.sign_ins, self.calls, self.refuses = 0, [], lambda token: False

    def close(self): pass

    def send(self, request, **_):
        if request.path_url.endswith("/oauth2/token"):
            self.sign_ins += 1
            return self.response(request, 200, {
                "access_token": f"session-{self.sign_ins}", "instance_url": "https://org.test"})
        status = 200 if request.method == "GET" else 201
        if self.refuses(request.headers["Authorization"].removeprefix("Bearer ")):
            status = 401
        self.calls.append((request.headers.get(HEADER), status))
        return self.response(request, status, [{
            "errorCode": "INVALID_SESSION_ID", "message": "Session expired or invalid"}]
            if status == 401 else {"id": "1", "success": True, "records": [], "done": True})

    def response(self, request, status, value):
        response = requests.Response()
        response.status_code, response.url, response.request = status, request.url, request
        response._content = json.dumps(value).encode()
        return response


def connect():
    organization, session = Organization(), requests.Session()
    session.trust_env = False
    session.mount("https://", organization)
    connection = Salesforce(
        consumer_key="key", consumer_secret="secret", domain="org.my", session=session)
    organization.sign_ins = 0
    return organization, connection


print("simple-salesforce", version("simple-salesforce"))
organization, connection = connect()
organization.refuses = lambda token: token == "session-1" and not organization.sign_ins
connection.Lead.create({"LastName": "Ann"}, headers={HEADER: "FALSE"})
print(f"create() at the end of a session: {organization.sign_ins} sign-in, {HEADER} and status:",
      *organization.calls)
changed = organization.sign_ins != 1
changed |= organization.calls != [("FALSE", 401), (None, 201)]
for name, call, is_expected in (
    ("query", lambda connection: connection.query("SELECT Id FROM Lead"),
     lambda signed, sent, error: (signed, sent, error) == (4, 4, "SalesforceExpiredSession")),
    ("get", lambda connection: connection.Lead.get("1"),
     lambda signed, sent, error: signed > 100 and sent > 100 and error == "RecursionError"),
):
    organization, connection = connect()
    organization.refuses, error = lambda token: True, None
    try: call(connection)
    except Exception as problem: error = type(problem).__name__
    changed |= not is_expected(organization.sign_ins, len(organization.calls), error)
    print(f"{name}() while sessions are refused: {organization.sign_ins} sign-ins,",
          f"{len(organization.calls)} requests, {error}")
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
