#!/usr/bin/env bash
# dodopayments 1.123.0 and lithic 0.133.0: a charge whose response is lost is sent three times, and
# nothing in the three says that they are one.
#
# Clients of one generator repeat each call twice by themselves, POSTs too, after a lost connection,
# a time-out, 409, 429 and each 5xx; their documents say so. They also draw a key for each call that
# is no GET, the same for its repetitions. increase 0.552.0, modern-treasury 1.80.0 and orb-billing
# 4.90.0 send it as Idempotency-Key, so that a server can tell a repetition from a second order. The
# other two draw it as well and have no header for it: it never leaves the process. Theirs counts
# repetitions, and does not say of what. With lithic a caller may set a token in the body; who does
# not, and each user of the other, has a backend to hope for that knows two equal charges for one.
#
# Expected below, of a server that reads a charge and closes: arrivals and different keys of each
# client, 3 and 1 or 3 and none. Exits with 1 if that changes. The server is on this machine; needs
# python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile dodopayments==1.123.0 lithic==0.133.0 \
    increase==0.552.0 modern-treasury==1.80.0 orb-billing==4.90.0
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, threading
from importlib.metadata import version

from dodopayments import DodoPayments
from increase import Increase
from lithic import Lithic
from modern_treasury import ModernTreasury
from orb import Orb

arrived = []


class Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        arrived.append(({name.lower(): value for name, value in self.headers.items()}, body))

    def log_message(self, *_): pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
common = {"base_url": f"http://127.0.0.1:{server.server_port}"}
charges = {
    "dodopayments": lambda: DodoPayments(bearer_token="k", **common).subscriptions.charge(
        "s1", product_price=100),
    "lithic": lambda: Lithic(api_key="k", **common).payments.create(
        amount=100, external_bank_account_token="a", financial_account_token="b",
        method="ACH_NEXT_DAY", method_attributes={"sec_code": "CCD"}, type="PAYMENT"),
    "increase": lambda: Increase(api_key="k", **common).ach_transfers.create(
        account_id="a", amount=100, statement_descriptor="order"),
    "modern-treasury": lambda: ModernTreasury(
        api_key="k", organization_id="o", **common).payment_orders.create(
        amount=100, direction="credit", originating_account_id="a", type="ach"),
    "orb-billing": lambda: Orb(api_key="k", **common).credit_notes.create(
        line_items=[{"amount": "100", "invoice_line_item_id": "i"}], reason="duplicate"),
}
seen = {}
for name, charge in charges.items():
    arrived.clear()
    try:
        charge()
    except Exception as error:
        assert "Connection" in type(error).__name__, error
    same = all(body == arrived[0][1] for _, body in arrived)
    keys = {value for headers, _ in arrived for header, value in headers.items()
            if "idempotency" in header}
    seen[name] = len(arrived), len(keys), same
    counts = [headers.get("x-stainless-retry-count") for headers, _ in arrived]
    print(f"{name} {version(name)}: arrived {len(arrived)}, keys {len(keys)},",
          f"equal bodies {same}, counts of repetitions {counts}")
without, with_key = (3, 0, True), (3, 1, True)
raise SystemExit(seen != {
    "dodopayments": without, "lithic": without, "increase": with_key,
    "modern-treasury": with_key, "orb-billing": with_key})
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
