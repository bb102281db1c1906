#!/bin/sh
# django-oauth-toolkit 3.4.1 with Django REST framework 3.18.3: a call that shows an expired access
# token, an unknown one or none is answered 401 with one and the same body, "Authentication
# credentials were not provided.", although two of them provide some. Only WWW-Authenticate tells
# them apart: a client that reads the body cannot know that a refresh would help.
#
# Expected below, for an expired, an unknown and no token: 401 with that body, three different
# WWW-Authenticate, "expired" in the first only; for a good one 200. Exits with 1 if that changes.
# No request leaves the process; needs python3 and PyPI; everything stays in a temporary folder.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install "Django==5.2.19" "django-oauth-toolkit==3.4.1" \
    "djangorestframework==3.18.3"
cat > "$folder/ask.py" <<'PYTHON'
from datetime import timedelta
from importlib.metadata import version

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="x" * 50, ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "rest_framework", "oauth2_provider"],
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [
            "oauth2_provider.contrib.rest_framework.OAuth2Authentication"],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"]})
django.setup()

from django.core.management import call_command
from django.test import Client
from django.urls import path
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application
from rest_framework.decorators import api_view
from rest_framework.response import Response


@api_view(["GET"])
def me(request):
    return Response({"user": request.user.username})


urlpatterns = [path("me", me)]
call_command("migrate", verbosity=0)
from django.contrib.auth.models import User

user = User.objects.create_user("ann")
app = Application.objects.create(
    client_id="app", client_type="public", authorization_grant_type="password", user=user)
for name, life in [("good", 60), ("expired", -60)]:
    AccessToken.objects.create(
        user=user, application=app, token=name, scope="read",
        expires=timezone.now() + timedelta(seconds=life))

for name in ["Django", "django-oauth-toolkit", "djangorestframework"]:
    print(name, version(name))
seen = {}
for token in ["good", "expired", "unknown", None]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = Client().get("/me", headers=headers)
    challenge = response.headers.get("WWW-Authenticate", "")
    seen[token] = (response.status_code, response.content.decode(), challenge)
    print(token, *seen[token])
assert seen["good"][0] == 200
refused = [seen["expired"], seen["unknown"], seen[None]]
assert {status for status, _, _ in refused} == {401}
assert {body for _, body, _ in refused} == {
    '{"detail":"Authentication credentials were not provided."}'}
assert len({challenge for _, _, challenge in refused}) == 3
assert "expired" in seen["expired"][2] and "expired" not in seen["unknown"][2]
print("as stated")
PYTHON
"$folder/venv/bin/python" "$folder/ask.py"
