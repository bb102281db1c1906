#!/bin/bash
# PyJWT 2.15.1, PyJWKClient: five minutes after its last fetch it drops the keys that it has; while
# the key endpoint hangs, calls with good tokens fail one after the other, the eighth after eight
# time-outs.
#
# The set of keys lives for lifespan, 300 s. After that the next call fetches, under a lock that all
# calls of the process need, with a time-out of 30 s. If that fails there are no keys: the old ones,
# which signed the token and are valid for months, are not used, and the call that waited for the
# lock begins its own fetch. So an outage of the identity provider, during which each token could be
# verified, is one of all APIs behind it within five minutes, and one in which it hangs holds two
# calls a minute and lets all others queue, until the workers are used up; time-outs of the server's
# clients do not end it. With a 503 each call is a request of its own, at the rate of the traffic,
# to an endpoint in trouble. cache_keys=True, off by itself, keeps keys by name until the process
# ends, those that were withdrawn as well; with it nothing fails. The documents have the five
# minutes, and not what follows when a fetch fails.
#
# Expected below, with a lifespan of 1 s and a time-out of 0.5 s, of eight calls at one moment:
# after 503 8 errors and 8 requests; with an endpoint that hangs 8 errors, the last after 3.8 to 6
# s, and 8 requests one after the other; with cache_keys=True 8 successes and no request. Exits with
# 1 if that changes. The server is on this machine; needs python3 and PyPI; everything stays in a
# temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile PyJWT==2.15.1 cryptography==50.0.2
cat >"$folder/try.py" <<'PYTHON'
import http.server, json, threading, time
from concurrent.futures import ThreadPoolExecutor

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

key = ec.generate_private_key(ec.SECP256R1())
public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(key.public_key()))
body = json.dumps({"keys": [public | {"kid": "1", "use": "sig", "alg": "ES256"}]}).encode()
token = jwt.encode({"sub": "a"}, key, "ES256", headers={"kid": "1"})
arrived, CALLS = [], 8


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass

    def do_GET(self):
        arrived.append(time.monotonic())
        if state == "hangs":
            return time.sleep(2)  # longer than the client waits
        self.send_response(200 if state == "well" else 503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()


def verify(keys):
    began = time.monotonic()
    try:
        jwt.decode(token, keys.get_signing_key_from_jwt(token).key, ["ES256"])
        return True, time.monotonic() - began
    except jwt.PyJWKClientConnectionError:
        return False, time.monotonic() - began


print("PyJWT", jwt.__version__)
seen = []
for then, options in (("503", {}), ("hangs", {}), ("hangs", {"cache_keys": True})):
    state = "well"
    keys = jwt.PyJWKClient(f"http://127.0.0.1:{server.server_port}/keys", lifespan=1,
                           timeout=0.5, **options)
    assert verify(keys)[0]
    time.sleep(1.1)
    state, arrived[:] = then, []
    with ThreadPoolExecutor(CALLS) as pool:
        ends = list(pool.map(verify, [keys] * CALLS))
    good, last = sum(is_good for is_good, _ in ends), max(seconds for _, seconds in ends)
    seen.append((good, last, len(arrived)))
    print(f"key endpoint {then}, {options}: {good} of {CALLS} calls succeed, the last after",
          f"{last:.1f} s, {len(arrived)} requests for keys")
busy, hanging, kept = seen
raise SystemExit(not (
    busy[::2] == hanging[::2] == (0, CALLS) and 3.8 < hanging[1] < 6 and kept[::2] == (CALLS, 0)))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
