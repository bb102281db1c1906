#!/usr/bin/env bash
# mod_auth_openidc 2.4.12.3 (Apache, Debian 12): a page of eight files, with a token about to end,
# refreshes eight times, with one refresh token; where those are good for once, the user is out.
#
# OIDCRefreshAccessTokenBeforeExpiry refreshes during a request, and the session is read before and
# written after it. Requests that come meanwhile read the old session and refresh as well, each with
# the refresh token that the first one has used. A provider that rotates refuses seven of them, or
# takes them for theft and ends the session (RFC 9700, 4.14.2). With logout_on_error, which is there
# for a session that is really over, one refusal among the eight removes the session of all: each
# request of this page is answered 200, and the next one has to sign in. Nothing but the load of a
# page, a browser's usual one, brings it about; a single request refreshes once.
#
# Expected below, of eight requests at once in one session: 8 refreshes with 1 refresh token and
# eight times 200, with a provider that rotates and one that does not; then 302, to sign in, with
# rotation and logout_on_error, otherwise 200; a single request makes 1 refresh.
# Exits with 1 if that changes. The servers are on this machine; needs Debian 12 with apt-get,
# openssl and python3; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
mkdir "$folder/root" "$folder/www"
(cd "$folder" && apt-get -q download libapache2-mod-auth-openidc=2.4.12.3-2+deb12u5 \
    apache2-bin=2.4.71-1~deb12u1 libcjose0 libhiredis0.14 libjansson4 libapr1 libaprutil1 \
    >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$folder/key.pem" -out "$folder/cert.pem" \
    -subj /CN=localhost -days 2 2>/dev/null
cat >"$folder/try.py" <<'PYTHON'
import base64, hashlib, hmac, http.client, http.server, json, os, pathlib, socket, ssl, subprocess
import sys, threading, time, urllib.parse
from concurrent.futures import ThreadPoolExecutor

folder = pathlib.Path(sys.argv[1])
apache = str(folder / "root/usr/sbin/apache2")
modules = folder / "root/usr/lib/apache2/modules"
libraries = os.environ | {"LD_LIBRARY_PATH": str(next(folder.glob("root/usr/lib/*-linux-gnu")))}
SECRET = "s" * 40


def part(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Provider(http.server.BaseHTTPRequestHandler):
    rotates, good, nonce, used, lock = False, 0, "", [], threading.Lock()

    def log_message(self, *_): pass

    def id_token(self):
        now = int(time.time())
        claims = {"iss": issuer, "sub": "ann", "aud": "app", "iat": now, "exp": now + 3600,
                  "nonce": self.nonce}
        text = ".".join(part(json.dumps(value).encode()) for value in ({"alg": "HS256"}, claims))
        return text + "." + part(hmac.digest(SECRET.encode(), text.encode(), "sha256"))

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form, status = dict(urllib.parse.parse_qsl(text)), 200
        value = {"access_token": "a", "token_type": "Bearer", "expires_in": 60}
        if form["grant_type"] == "refresh_token":
            time.sleep(1.5)
            with self.lock:
                self.used.append(form["refresh_token"])
                if self.rotates and form["refresh_token"] != str(Provider.good):
                    status, value = 400, {"error": "invalid_grant"}
                elif self.rotates:
                    Provider.good += 1
        else:
            value["id_token"] = self.id_token()
        if status == 200:
            value["refresh_token"] = str(Provider.good)
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64


provider = Server(("127.0.0.1", 0), Provider)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
provider.socket = context.wrap_socket(
    provider.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=provider.serve_forever, daemon=True).start()
issuer = f"https://127.0.0.1:{provider.server_port}"
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
(folder / "www/index.html").write_text("hello")


def configure(action):
    loaded = "".join(f"LoadModule {name}_module {modules}/mod_{name}.so\n" for name in (
        "mpm_event", "authz_core", "authn_core", "authz_user", "dir", "auth_openidc"))
    (folder / "conf").write_text(f"""
ServerName localhost
User www-data
Group www-data
Listen 127.0.0.1:{port}
PidFile {folder}/pid
ErrorLog {folder}/error
DefaultRuntimeDir {folder}
{loaded}
DocumentRoot {folder}/www
OIDCProviderIssuer {issuer}
OIDCProviderAuthorizationEndpoint {issuer}/authorize
OIDCProviderTokenEndpoint {issuer}/token
OIDCProviderTokenEndpointAuth client_secret_post
OIDCClientID app
OIDCClientSecret {SECRET}
OIDCIDTokenSignedResponseAlg HS256
OIDCRedirectURI http://127.0.0.1:{port}/callback
OIDCCryptoPassphrase p
OIDCSSLValidateServer Off
<Location />
    AuthType openid-connect
    Require valid-user
    OIDCRefreshAccessTokenBeforeExpiry 58 {action}
</Location>
""")


def ask(path, cookies=()):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers={"Cookie": "; ".join(cookies), "Accept": "text/html"})
    response = connection.getresponse()
    response.read()
    connection.close()
    given = [text.split(";")[0] for text in response.headers.get_all("Set-Cookie", [])]
    return response.status, given, response.headers.get("Location", "")


def sign_in():
    _, state, location = ask("/")
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(location).query))
    Provider.nonce = query["nonce"]
    answer = urllib.parse.urlencode({"code": "c", "state": query["state"]})
    _, given, _ = ask("/callback?" + answer, state)
    return [cookie for cookie in given if "session" in cookie]


def play(rotates, action, together):
    Provider.rotates, Provider.good = rotates, 0
    configure(action)
    server = subprocess.Popen([apache, "-f", folder / "conf", "-DFOREGROUND"], env=libraries)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        session = sign_in()
        time.sleep(3)
        Provider.used.clear()
        if together:
            with ThreadPoolExecutor(8) as pool:
                statuses = set(pool.map(lambda _: ask("/", session)[0], range(8)))
        else:
            statuses = {ask("/", session)[0]}
        made = len(Provider.used), len(set(Provider.used))
        return *made, statuses, ask("/", session)[0]
    finally:
        server.terminate()
        server.wait()


print(*(path.name for path in sorted(folder.glob("*apache2*.deb"))), sep="\n")
changed = False
for rotates, action, together, expected in (
    (True, "", True, (8, 1, {200}, 200)), (False, "", True, (8, 1, {200}, 200)),
    (True, "logout_on_error", True, (8, 1, {200}, 302)),
    (True, "logout_on_error", False, (1, 1, {200}, 200)),
):
    seen = play(rotates, action, together)
    changed |= seen != expected
    print(f"provider {'rotates' if rotates else 'keeps'}, {action or 'no action'},",
          "eight at once:" if together else "one:", seen[0], "refreshes with", seen[1],
          "refresh token, answered", *seen[2], "- the next request", seen[3])
raise SystemExit(changed)
PYTHON
python3 "$folder/try.py" "$folder"
