#!/bin/bash
# redis 8.1.0 with redis-entraid 1.2.2: an identity provider that fails for a moment is not asked
# again in the background; ten milliseconds are a moment.
#
# The token manager of redis renews in advance, at 0.7 of a token's life, so that connections can be
# authenticated anew before the server closes them. If that fails it tries three times more, with
# the defaults of redis-entraid after 3 ms each, and then tells on_error. It does not set the timer
# again: an outage of a second, with 0.3 of the life left, which is twenty minutes of a usual token,
# ends the renewal for as long as the process lives. From then on each connection is closed by the
# server at its token's end, in the middle of a pipeline or a subscription, and opens again with a
# token of its own: all those of a pool at one moment. The documents have the retries as a policy
# for failed requests and do not say that the last one is the end.
#
# Expected below, of tokens of 2 s and a provider that fails once for 0.3 s: 4 requests within the
# first 0.3 s after the renewal was due, 1 error, and none in the 4 s after that; of one that does
# not fail at least 3 in that time. Exits with 1 if that changes. No request leaves the process.
# Needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile redis==8.1.0 redis-entraid==1.2.2
cat >"$folder/try.py" <<'PYTHON'
import inspect, time
from importlib.metadata import version

from redis.auth.err import RequestTokenErr
from redis.auth.idp import IdentityProviderInterface
from redis.auth.token import SimpleToken
from redis_entraid.cred_provider import EntraIdCredentialsProvider, create_from_service_principal

LIFE, OUTAGE = 2, 0.3
config = inspect.signature(create_from_service_principal).parameters["token_manager_config"].default


class Provider(IdentityProviderInterface):
    def __init__(self, fails):
        self.times, self.fails, self.down_until = [], fails, None

    def request_token(self, force_refresh=False):
        now = time.time()
        self.times.append(now)
        if self.fails and len(self.times) > 2:  # the first two are of the connection
            self.down_until = self.down_until or now + OUTAGE
            if now < self.down_until:
                raise RequestTokenErr("the provider is down")
        return SimpleToken(
            f"token-{len(self.times)}", (now + LIFE) * 1000, now * 1000, {"oid": "o"})


def play(fails):
    provider, errors = Provider(fails), []
    credentials = EntraIdCredentialsProvider(provider, config)
    credentials.on_next(lambda token: None)
    credentials.on_error(errors.append)
    credentials.get_credentials()
    while len(provider.times) < 3:
        time.sleep(0.01)
    due = provider.times[2]
    time.sleep(OUTAGE + 4)
    after = [at - due for at in provider.times[2:]]
    return sum(at < OUTAGE for at in after), sum(at >= OUTAGE for at in after), len(errors)


for name in ("redis", "redis-entraid"):
    print(name, version(name))
failed, well = play(True), play(False)
for name, (within, later, errors) in (("fails for 0.3 s", failed), ("does not fail", well)):
    print(f"a provider that {name}: {within} requests within 0.3 s of the first renewal, {later}",
          f"in the 4 s after that, {errors} errors")
raise SystemExit(failed != (4, 0, 1) or well[1] < 2 or well[2] != 0)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
