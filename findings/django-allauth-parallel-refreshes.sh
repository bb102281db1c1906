#!/bin/sh
# django-allauth 65.22.1, headless with JWTs and rotation (its default): of refreshes that come
# together with one refresh token several are answered 200, each with a new refresh token, and only
# the one that was stored last is good: the others are refused with {"status": 400}. A client that
# keeps the tokens of another response has to sign in again at its next refresh.
#
# Expected below, of up to five rounds of eight refreshes with two or more answered 200: each with
# a token of its own, of which at most one is good, the others 400 and {"status": 400}. Exits with 1
# if that changes. Needs python3 and PyPI; everything stays in a temporary folder.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install "Django==5.2.19" "django-allauth[headless]==65.22.1"
cat > "$folder/ask.py" <<'PYTHON'
import http.client
import json
import sys
import threading
from importlib.metadata import version
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="x" * 50, ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {
        "ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[1] + "/db.sqlite3",
        "OPTIONS": {"timeout": 30}}},
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
        "django.contrib.messages", "allauth", "allauth.account", "allauth.headless"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "allauth.account.middleware.AccountMiddleware"],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    ACCOUNT_LOGIN_METHODS={"username"}, ACCOUNT_SIGNUP_FIELDS=["username*", "password1*"],
    ACCOUNT_EMAIL_VERIFICATION="none", ACCOUNT_RATE_LIMITS=False, HEADLESS_ONLY=True,
    HEADLESS_TOKEN_STRATEGY="allauth.headless.tokens.strategies.jwt.JWTTokenStrategy",
    HEADLESS_JWT_ALGORITHM="HS256")
django.setup()

from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.urls import include, path

urlpatterns = [path("_allauth/", include("allauth.headless.urls"))]
call_command("migrate", verbosity=0)
from django.contrib.auth.models import User

User.objects.create_user("ann", password="secret")


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Silent(WSGIRequestHandler):
    def log_message(self, *parts):
        pass


server = make_server("127.0.0.1", 0, get_wsgi_application(), Server, Silent)
threading.Thread(target=server.serve_forever, daemon=True).start()


def post(target, body):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    connection.request(
        "POST", "/_allauth/app/v1/" + target, json.dumps(body),
        {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = (response.status, response.read())
    connection.close()
    return answer


def refresh(token):
    return post("tokens/refresh", {"refresh_token": token})


for name in ["Django", "django-allauth"]:
    print(name, version(name))
rounds = 0
for _ in range(60):
    status, body = post("auth/login", {"username": "ann", "password": "secret"})
    assert status == 200, body
    token, answers = json.loads(body)["meta"]["refresh_token"], []
    together = [
        threading.Thread(target=lambda: answers.append(refresh(token))) for _ in range(8)]
    for thread in together:
        thread.start()
    for thread in together:
        thread.join()
    new = [json.loads(body)["data"]["refresh_token"] for status, body in answers if status == 200]
    later = [refresh(token) for token in new]
    if len(new) < 2:
        continue
    rounds += 1
    print(f"{len(new)} of 8 answered 200; their refresh tokens:", [status for status, _ in later])
    assert len(set(new)) == len(new)
    assert [status for status, _ in later].count(200) <= 1
    assert all(json.loads(body) == {"status": 400} for status, body in later if status != 200)
    if rounds == 5:
        break
assert rounds, "no two of the refreshes were answered 200"
print("as stated")
PYTHON
"$folder/venv/bin/python" "$folder/ask.py" "$folder"
