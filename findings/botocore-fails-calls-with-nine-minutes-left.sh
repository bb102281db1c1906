#!/usr/bin/env bash
# botocore 1.44.8 in a container: when the credentials endpoint is down, each call takes 3 s or 6 s
# more from a quarter of an hour before the end, and fails from ten minutes before it.
#
# Credentials that end within 15 min are refreshed by each call, those that end within 10 min have
# to be. The first is called advisory: a failure is logged and the call goes on. But the next call
# tries again, and each try is three requests with a second after each, the last as well. DynamoDB's
# client, which asks for the account, too, tries twice. A worker that makes a call in 50 ms makes
# one in 3 s or 6 s, for five minutes, and the endpoint that is down gets 3 or 6 requests for each.
# Then every call raises, with credentials that the service would take for ten minutes more.
#
# Expected below, of four calls while the endpoint answers 503: with 14 min left 4 arrive, 12
# requests to the endpoint and 12 s of pauses with SQS, 24 and 24 s with DynamoDB; with 9 min left
# none arrives and the error is CredentialRetrievalError; with 16 min left 4 arrive and the endpoint
# is not asked. Exits with 1 if that changes. Pauses are noted and not slept, the server is on this
# machine. Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install botocore==1.44.8
cat >"$folder/try.py" <<'PYTHON'
import datetime, http.server, json, logging, os, threading, time
from importlib.metadata import version

logging.disable()
slept, caller, sleep = [], threading.current_thread(), time.sleep
time.sleep = lambda s: slept.append(s) if threading.current_thread() is caller else sleep(s)
import botocore.exceptions, botocore.session

UTC = datetime.timezone.utc


class Server(http.server.BaseHTTPRequestHandler):
    is_up, minutes, asked, arrived = True, 0, 0, 0

    def log_message(self, *_): pass

    def respond(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        Server.asked += 1
        end = datetime.datetime.now(UTC) + datetime.timedelta(minutes=self.minutes)
        self.respond(200 if self.is_up else 503, {
            "AccessKeyId": "k", "SecretAccessKey": "s", "Token": "t",
            "Expiration": end.strftime("%Y-%m-%dT%H:%M:%SZ")} if self.is_up else {})

    def do_POST(self):
        Server.arrived += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        self.respond(200, {})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
for name in [name for name in os.environ if name.startswith("AWS_")]:
    del os.environ[name]
os.environ |= {
    "AWS_CONTAINER_CREDENTIALS_FULL_URI": address + "/credentials", "AWS_CONFIG_FILE": "/none",
    "AWS_SHARED_CREDENTIALS_FILE": "/none", "AWS_EC2_METADATA_DISABLED": "true"}


def four_calls(service, operation, minutes):
    Server.is_up, Server.minutes = True, minutes
    session = botocore.session.Session()
    session.get_credentials()
    client = session.create_client(service, region_name="eu-west-1", endpoint_url=address)
    Server.is_up, Server.asked, Server.arrived, errors = False, 0, 0, []
    slept.clear()
    for _ in range(4):
        try:
            getattr(client, operation)()
        except botocore.exceptions.BotoCoreError as error:
            errors.append(type(error).__name__)
    return Server.arrived, Server.asked, sum(slept), errors


print("botocore", version("botocore"))
failed = ["CredentialRetrievalError"] * 4
changed = False
for service, operation, expected in (
    ("sqs", "list_queues", {16: (4, 0, 0, []), 14: (4, 12, 12, []), 9: (0, 12, 12, failed)}),
    ("dynamodb", "list_tables", {16: (4, 0, 0, []), 14: (4, 24, 24, []), 9: (0, 12, 12, failed)}),
):
    for minutes, wanted in expected.items():
        seen = four_calls(service, operation, minutes)
        changed |= seen != wanted
        arrived, asked, pauses, errors = seen
        print(f"{service}, {minutes} min left: {arrived} of 4 calls arrived, {asked} requests for",
              f"credentials, {pauses} s of pauses, {len(errors)} errors", *set(errors))
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
