#!/usr/bin/env bash
# modern-treasury 1.80.0, increase 0.552.0, lithic 0.133.0, orb-billing 4.90.0, dodopayments 1.123.0,
# groq 1.7.0: asked for a pause of 60 s they wait 60 s, asked for one of 61 s half a second.
#
# The generator that wrote these clients heeds a Retry-After of up to a minute; a longer one counts
# as none. So a backend that needs two minutes is asked again twice within two seconds, by each call
# of each client: the longer the pause it asks for, the sooner they come. Their documents promise "a
# short exponential backoff" and do not name the header. anthropic 2.10.0, of the same generator,
# waits as told.
#
# Expected below, for a call that is answered 503 with Retry-After of 60 s and of 61 s: the first
# pause is 60 s and less than 1 s; with anthropic 60 s and 61 s. Exits with 1 if that changes. Pauses
# are noted and not slept, the server is on this machine. Needs python3 and PyPI; everything stays in
# a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile modern-treasury==1.80.0 increase==0.552.0 \
    lithic==0.133.0 orb-billing==4.90.0 dodopayments==1.123.0 groq==1.7.0 anthropic==2.10.0
cat >"$folder/try.py" <<'PYTHON'
import http.server, threading, time
from importlib.metadata import version

from anthropic import Anthropic
from dodopayments import DodoPayments
from groq import Groq
from increase import Increase
from lithic import Lithic
from modern_treasury import ModernTreasury
from orb import Orb


class Server(http.server.BaseHTTPRequestHandler):
    pause, arrivals = 0, 0

    def do_POST(self):
        Server.arrivals += 1
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(503)
        self.send_header("Retry-After", str(self.pause))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_): pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
common = {"base_url": f"http://127.0.0.1:{server.server_port}"}
clients = {
    "modern-treasury": ModernTreasury(api_key="k", organization_id="o", **common),
    "increase": Increase(api_key="k", **common),
    "lithic": Lithic(api_key="k", **common),
    "orb-billing": Orb(api_key="k", **common),
    "dodopayments": DodoPayments(bearer_token="k", **common),
    "groq": Groq(api_key="k", **common),
    "anthropic": Anthropic(api_key="k", **common),
}
slept, caller = [], threading.current_thread()
sleep = time.sleep
time.sleep = lambda s: slept.append(s) if threading.current_thread() is caller else sleep(s)
wrong = False
for name, client in clients.items():
    pauses = []
    for Server.pause in (60, 61):
        Server.arrivals = 0
        slept.clear()
        try:
            client.post("/orders", cast_to=object, body={})
        except Exception as error:
            assert "503" in str(error), error
        assert Server.arrivals == 3 and len(slept) == 2, (name, Server.arrivals, slept)
        pauses.append(slept[0])
    print(f"{name} {version(name)}: asked for 60 s {pauses[0]:.1f} s,",
          f"asked for 61 s {pauses[1]:.1f} s")
    heeds = pauses[1] == 61 if name == "anthropic" else pauses[1] < 1
    wrong |= pauses[0] != 60 or not heeds
raise SystemExit(wrong)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
