#!/bin/bash
# oauthlib 3.3.1 and Ruby's signet 0.17.0: where the response to a refresh does not state a life,
# the new token has the end of the old one; the one fails each call, the other refreshes for each.
#
# expires_in is recommended and may be missing (RFC 6749, 5.1), and there are servers that state it
# at the sign-in alone. Both keep the time at which a token ends in a field of the client, and set
# it where a response has a life. Otherwise the time stays: the new token ended before it came. With
# requests-oauthlib 2.0.0 above oauthlib a call refreshes, is told that the token it has just got is
# expired, and raises TokenExpiredError; so does each later call, and none is sent, though each
# refresh was answered 200. googleauth 0.13.0, above signet, refreshes before each call and sends
# it. A first hour without a refresh is well with both. Authlib 1.9.10 takes such a token for good.
#
# Expected below, of five calls whose token has ended, and a server that does not state a life in
# the response to a refresh: 5 refreshes, no call and 5 times TokenExpiredError with
# requests-oauthlib, 5 refreshes and 5 calls with googleauth, 1 and 5 with Authlib; with a life 1
# and 5 with all. Exits with 1 if that changes. No request leaves the process. Needs Debian 12 on
# x86-64 with apt-get, python3 and PyPI; nothing is installed, everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download ruby3.1 libruby3.1 libyaml-0-2 ruby-signet=0.17.0-1 \
    ruby-googleauth=0.13.0-3 ruby-addressable ruby-public-suffix ruby-faraday ruby-jwt \
    ruby-faraday-net-http ruby-multipart-post ruby-ruby2-keywords ruby-multi-json ruby-memoist \
    ruby-os >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile oauthlib==3.3.1 requests-oauthlib==2.0.0 \
    Authlib==1.9.10 requests==2.34.2
cat >"$folder/try.py" <<'PYTHON'
import json, time, warnings
from importlib.metadata import version

warnings.simplefilter("ignore")
import requests
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from oauthlib.oauth2 import TokenExpiredError
from requests_oauthlib import OAuth2Session

SERVER = "https://server.example"


class Server(requests.adapters.BaseAdapter):
    def __init__(self, life):
        super().__init__()
        self.life, self.refreshes, self.calls = life, 0, 0

    def send(self, request, **_):
        body = {}
        if request.url == SERVER + "/token":
            self.refreshes += 1
            body = {"access_token": f"new-{self.refreshes}", "token_type": "Bearer"} | self.life
        else:
            assert request.headers["Authorization"].startswith("Bearer new-")
            self.calls += 1
        response = requests.Response()
        response.status_code, response.request, response.url = 200, request, request.url
        response.headers["Content-Type"] = "application/json"
        response._content = json.dumps(body).encode()
        return response

    def close(self): pass


def play(name, life):
    token = {"access_token": "old", "refresh_token": "refresh", "token_type": "Bearer",
             "expires_in": 3600, "expires_at": int(time.time()) - 60}
    if name == "requests-oauthlib":
        session = OAuth2Session(
            "client", token=token, auto_refresh_url=SERVER + "/token",
            auto_refresh_kwargs={"client_id": "client"}, token_updater=lambda token: None)
    else:
        session = AuthlibSession("client", token=token, token_endpoint=SERVER + "/token")
    server, errors = Server(life), 0
    session.mount("https://", server)
    for _ in range(5):
        try:
            session.get(SERVER + "/orders")
        except TokenExpiredError:
            errors += 1
    return server.refreshes, server.calls, errors


for name in ("requests-oauthlib", "Authlib"):
    for life, words in (({}, "no life"), ({"expires_in": 3600}, "a life")):
        refreshes, calls, errors = play(name, life)
        print(f"{name} {version(name)}, {words}: {refreshes} refreshes, {calls} calls, {errors}",
              "times TokenExpiredError")
PYTHON
cat >"$folder/try.rb" <<'RUBY'
require "json"
require "faraday"
require "googleauth/signet"

[["no life", {}], ["a life", { "expires_in" => 3600 }]].each do |words, life|
  refreshes = calls = 0
  server = Faraday.new do |builder|
    builder.adapter(:test) do |stubs|
      5.times do
        stubs.post("/token") do
          refreshes += 1
          token = { "access_token" => "new-#{refreshes}", "token_type" => "Bearer" }.merge(life)
          [200, { "Content-Type" => "application/json" }, JSON.dump(token)]
        end
      end
    end
  end
  client = Signet::OAuth2::Client.new(
    token_credential_uri: "https://server.example/token", client_id: "client",
    client_secret: "secret", refresh_token: "refresh", access_token: "old",
    expires_at: Time.now - 60
  )
  5.times do
    headers = client.apply({}, connection: server)
    calls += 1 if headers[:authorization].start_with?("Bearer new-")
  end
  puts "signet #{Signet::VERSION}, #{words}: #{refreshes} refreshes, #{calls} calls"
end
RUBY
root=$folder/root/usr
lib=$root/lib/x86_64-linux-gnu
paths=$(printf '%s:' "$root"/share/rubygems-integration/*/gems/*/lib)
"$folder/venv/bin/python3" "$folder/try.py" | tee "$folder/seen"
LD_LIBRARY_PATH=$lib RUBYLIB=$paths$root/lib/ruby/vendor_ruby:$root/lib/ruby/3.1.0:$lib/ruby/3.1.0:\
$lib/ruby/vendor_ruby/3.1.0 "$root/bin/ruby3.1" --disable-gems "$folder/try.rb" |
    tee -a "$folder/seen"
diff - "$folder/seen" <<'EXPECTED'
requests-oauthlib 2.0.0, no life: 5 refreshes, 0 calls, 5 times TokenExpiredError
requests-oauthlib 2.0.0, a life: 1 refreshes, 5 calls, 0 times TokenExpiredError
Authlib 1.9.10, no life: 1 refreshes, 5 calls, 0 times TokenExpiredError
Authlib 1.9.10, a life: 1 refreshes, 5 calls, 0 times TokenExpiredError
signet 0.17.0, no life: 5 refreshes, 5 calls
signet 0.17.0, a life: 1 refreshes, 5 calls
EXPECTED
