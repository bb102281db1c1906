#!/bin/bash
# confluent-kafka 2.16.1 (Python, librdkafka) with oauth_cb: one request for a token that fails when
# a process starts, and its Producer raises, ten seconds later: the limit of the wait is the pause
# before the second try.
#
# The constructor waits up to 10 s for the first token, and what oauth_cb raises is given to
# librdkafka, which calls it again after 10 s: which of the two comes first is chance, and mostly
# the constructor gives up. So a second of trouble at the token endpoint, or a 429 when a hundred
# pods start at once, is a start that fails, and an orchestrator that starts the pod again, into the
# same burst. The exception says "OAuth token not set within 10 seconds timeout", with the code
# SASL_AUTHENTICATION_FAILED, that of a wrong secret; what the callback raised is not in it. Later
# refreshes are at four fifths of a token's life, and after a failed one 10 s later: tokens of under
# 50 s end meanwhile. Retries belong into oauth_cb: one that takes a second longer is waited for.
#
# Expected below, of two Producers, Consumers and AdminClients whose first request for a token
# fails: each takes 9 to 13 s and 1 or 2 requests, and at least one raises KafkaException,
# SASL_AUTHENTICATION_FAILED without the words of the callback; with a callback that asks again
# after a second all are made within 5 s by 2 requests. With tokens of 10 s and a second request
# that fails the third is 9 s or more after it. Exits with 1 if that changes. No broker is needed;
# needs python3 and PyPI; everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile confluent-kafka==2.16.1
cat >"$folder/try.py" <<'PYTHON'
import socket, time
from concurrent.futures import ThreadPoolExecutor

import confluent_kafka
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer
from confluent_kafka.admin import AdminClient

with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]


def play(kind, repeats, failing, life, watched):
    asked = []

    def ask():
        asked.append(time.monotonic())
        if len(asked) == failing:
            raise RuntimeError("503 of the token endpoint")
        return "token", time.time() + life

    def callback(_):
        try:
            return ask()
        except RuntimeError:
            if not repeats:
                raise
        time.sleep(1)
        return ask()

    began, code, text = time.monotonic(), None, ""
    try:
        client = kind({
            "bootstrap.servers": f"127.0.0.1:{port}", "security.protocol": "sasl_plaintext",
            "sasl.mechanisms": "OAUTHBEARER", "oauth_cb": callback, "log_level": 0,
            **({"group.id": "group"} if kind is Consumer else {})})
        took = time.monotonic() - began
        while time.monotonic() < began + watched:
            client.poll(1)
    except KafkaException as error:
        took = time.monotonic() - began
        code, text = error.args[0].code(), str(error)
    return took, code, text, asked


kinds = [Producer, Consumer, AdminClient] * 2
plays = [(kind, repeats, 1, 3600, 0) for repeats in (False, True) for kind in kinds]
with ThreadPoolExecutor(13) as pool:
    seen = list(pool.map(play, *zip(*plays, (Producer, False, 2, 10, 21))))
print("confluent-kafka", confluent_kafka.version(), "librdkafka", confluent_kafka.libversion()[0])
changed, codes = False, set()
for (kind, repeats, *_), (took, code, text, asked) in zip(plays, seen):
    print(f"{kind.__name__}, callback repeats: {repeats}: {text or 'made'} after {took:.1f} s,",
          f"{len(asked)} requests for a token")
    if repeats:
        changed |= code is not None or took > 5 or len(asked) != 2
    else:
        codes.add(code)
        changed |= not 9 < took < 13 or len(asked) > 2 or "503" in text
times = seen[-1][3]
print("tokens of 10 s, the second fails; asked after",
      *(f"{moment - times[0]:.1f}" for moment in times[:4]), "s")
changed |= KafkaError.SASL_AUTHENTICATION_FAILED not in codes or len(times) < 3
raise SystemExit(changed or times[2] - times[1] < 9)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
