#!/bin/bash
# django-oauth-toolkit 3.4.1 and mod_auth_openidc 2.4.12.3 (Apache, Debian 12) as resource servers:
# while the authorization server is down, each good token is invalid, by a 401.
#
# Both ask another server whether a token is good (RFC 7662). A question that was not answered, but
# refused with 503 or 429, is to them one that was answered no: 401 with error="invalid_token",
# though RFC 7662, 2.2, has "active": false for that, with status 200. A client refreshes at that,
# as it should, so each call of each user becomes a refresh and a second call, sent to the server
# that is down; where the refresh fails too, apps sign their users out. A 503 would have made them
# wait. The logs of the API count expired tokens, in an outage in which none expired. RFC 6750, 3.1,
# has invalid_token for one that is "expired, revoked, malformed, or invalid for other reasons".
#
# Expected below, of calls with good tokens: 200 while the authorization server answers, 401 with
# invalid_token while it answers 503 or 429, 1 question for each. Exits with 1 if that changes. The
# servers are on this machine; needs Debian 12 with apt-get, openssl, python3 and PyPI; nothing is
# installed, everything stays in a temporary folder.
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
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile Django==5.2.19 django-oauth-toolkit==3.4.1 \
    djangorestframework==3.18.3
cat >"$folder/try.py" <<'PYTHON'
import http.client, http.server, json, logging, os, pathlib, socket, ssl, subprocess, sys
import threading, time
from importlib.metadata import version

folder = pathlib.Path(sys.argv[1])
apache = folder / "root/usr/sbin/apache2"
modules = folder / "root/usr/lib/apache2/modules"
libraries = os.environ | {"LD_LIBRARY_PATH": str(next(folder.glob("root/usr/lib/*-linux-gnu")))}


class AuthorizationServer(http.server.BaseHTTPRequestHandler):
    status, asked = 200, 0

    def log_message(self, *_): pass

    def respond(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        AuthorizationServer.asked += 1
        self.respond(self.status, {} if self.status != 200 else {
            "active": True, "username": "ann", "scope": "read", "exp": int(time.time()) + 3600,
            "sub": "ann", "client_id": "app", "token_type": "Bearer"})


def listen(context=None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), AuthorizationServer)
    if context:
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"127.0.0.1:{server.server_port}"


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
plain, secure = "http://" + listen(), "https://" + listen(context)

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="x" * 50, ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"],
    OAUTH2_PROVIDER={"RESOURCE_SERVER_INTROSPECTION_URL": plain + "/introspect",
                     "RESOURCE_SERVER_AUTH_TOKEN": "a"})
django.setup()
logging.disable()
from django.core.management import call_command
from django.test import Client
from django.urls import path
from oauth2_provider.contrib.rest_framework import OAuth2Authentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response
from rest_framework.views import APIView


class Items(APIView):
    authentication_classes, permission_classes = [OAuth2Authentication], [IsAuthenticated]

    def get(self, request): return Response({})


urlpatterns = [path("items", Items.as_view())]
call_command("migrate", verbosity=0)
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
(folder / "www/index.html").write_text("hello")
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
OIDCOAuthIntrospectionEndpoint {secure}/introspect
OIDCOAuthClientID app
OIDCOAuthClientSecret secret
OIDCOAuthRemoteUserClaim sub
OIDCOAuthSSLValidateServer Off
OIDCCryptoPassphrase p
<Location />
    AuthType oauth20
    Require valid-user
</Location>
""")


def of_django(token):
    response = Client().get("/items", headers={"Authorization": "Bearer " + token})
    return response.status_code, response.headers.get("WWW-Authenticate", "")


def of_apache(token):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/", headers={"Authorization": "Bearer " + token})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status, response.headers.get("WWW-Authenticate", "")


print("django-oauth-toolkit", version("django-oauth-toolkit"), "-",
      next(folder.glob("libapache2-mod*.deb")).name)
server = subprocess.Popen([apache, "-f", folder / "conf", "-DFOREGROUND"], env=libraries)
changed = False
try:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    for name, ask in (("django-oauth-toolkit", of_django), ("mod_auth_openidc", of_apache)):
        for number, answered in enumerate((200, 503, 429, 200)):
            AuthorizationServer.status, AuthorizationServer.asked = answered, 0
            status, header = ask(f"token-{number}")
            changed |= AuthorizationServer.asked != 1
            changed |= status != (200 if answered == 200 else 401)
            changed |= ('error="invalid_token"' in header) != (answered != 200)
            print(f"{name}, authorization server answers {answered}: {status} {header}")
finally:
    server.terminate()
    server.wait()
raise SystemExit(changed)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"
