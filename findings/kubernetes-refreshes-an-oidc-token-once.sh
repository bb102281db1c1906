#!/usr/bin/env bash
# kubernetes 37.0.2 (Python): with an OIDC user a process refreshes when it loads its
# configuration, and never again.
#
# load_kube_config gives the client a hook that is asked before each call, to load the user again
# when its token has ended. It goes by an attribute, expiry, that is set for an exec plugin's token
# and not for an OIDC one, although its end is read at the load. So a controller or a watch that
# runs longer than one id-token meets 401 for ever, beside a refresh token that is good; a restart
# helps, for the life of the next one.
#
# Expected below, with tokens of 2.5 s and six calls that are 1 s apart: OIDC one refresh, 200 at
# first and 401 at last; an exec plugin with tokens from the same server is started again, and each
# call is answered 200. Exits with 1 if that changes. The server is on this machine; needs python3
# and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile kubernetes==37.0.2
cat >"$folder/try.py" <<'PYTHON'
import base64, http.server, json, os, sys, threading, time
from importlib.metadata import version
from urllib.parse import parse_qs

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
from kubernetes import client, config

LIFE = 2.5
asked = 0


def token(ends):
    parts = ({"alg": "none"}, {"exp": ends}, {"n": asked})
    return ".".join(
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts)


class Server(http.server.BaseHTTPRequestHandler):
    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path.startswith("/.well-known"):
            return self.answer(200, {"token_endpoint": base + "/token"})
        part = self.headers.get("Authorization", "").split(".")[1]
        ends = json.loads(base64.urlsafe_b64decode(part + "=="))["exp"]
        self.answer(200 if time.time() < ends else 401, {"gitVersion": "", "major": "", "minor": "",
                    "gitCommit": "", "gitTreeState": "", "buildDate": "", "goVersion": "",
                    "compiler": "", "platform": ""})

    def do_POST(self):
        global asked
        asked += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        new = token(time.time() + LIFE)
        self.answer(200, {"access_token": new, "id_token": new, "token_type": "Bearer",
                          "expires_in": 2, "refresh_token": f"r{asked}"})

    def log_message(self, *_): pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"


def play(user):
    settings = client.Configuration()
    config.load_kube_config_from_dict({
        "current-context": "c", "contexts": [{"name": "c", "context": {
            "cluster": "c", "user": "u"}}], "clusters": [{"name": "c", "cluster": {
                "server": base}}], "users": [{"name": "u", "user": user}]},
        client_configuration=settings)
    api, ends = client.VersionApi(client.ApiClient(settings)), []
    for _ in range(6):
        try:
            api.get_code()
            ends.append(200)
        except client.ApiException as refusal:
            ends.append(refusal.status)
        time.sleep(1)
    return ends


def oidc():
    return {"auth-provider": {"name": "oidc", "config": {
        "client-id": "id", "client-secret": "s", "idp-issuer-url": base, "refresh-token": "r0",
        "id-token": token(time.time() - 5)}}}


print("kubernetes", version("kubernetes"))
ends = play({"auth-provider": {"name": "oidc", "config": {
    "client-id": "id", "client-secret": "secret", "idp-issuer-url": base, "refresh-token": "r0",
    "id-token": token(time.time() - 5)}}})
oidc = ends[0], ends[-1], asked
print("OIDC:", *ends, "after refreshes:", asked)
plugin = os.path.join(os.path.dirname(__file__), "plugin.py")
with open(plugin, "w") as file:
    file.write(f"""import datetime, json, time, urllib.request
value = json.load(urllib.request.urlopen("{base}/token", b"a=1"))
ends = datetime.datetime.fromtimestamp(time.time() + 2, datetime.timezone.utc)
print(json.dumps({{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
    "status": {{"token": value["access_token"], "expirationTimestamp": ends.isoformat()}}}}))
""")
asked = 0
ends = play({"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": sys.executable,
                      "args": [plugin], "interactiveMode": "Never"}})
print("exec plugin:", *ends, "after starts:", asked)
raise SystemExit(oidc != (200, 401, 1) or set(ends) != {200} or asked < 2)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
