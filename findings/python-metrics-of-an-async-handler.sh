#!/usr/bin/env bash
# A coroutine of half a second, and what the decorators of three metric libraries for Python make
# of it: prometheus-client 0.26.0 microseconds, datadog 0.56.0 half a millisecond, statsd 4.0.1
# half a second.
#
# Histogram.time() of prometheus-client measures how long it takes to make the coroutine, not how
# long it runs. For the same reason count_exceptions() never counts and track_inprogress() is 0
# while calls are in progress. Nothing is raised and the count of calls is right, so a service that
# moves its handlers to async gets a p99 of microseconds, an error rate of zero and no calls under
# way, whatever it does. timed() of datadog waits for the coroutine, but sends seconds with the
# type ms: 0.5|ms, unless use_ms is set.
#
# Expected below: Histogram less than 0.01 s with a count of 1, exceptions 0 of 1, in progress 0 of
# 1; statsd 400 to 5,000 with |ms, datadog 0.4 to 5 with |ms; a function that is not async has all
# of them right with prometheus-client. Exits with 1 if that changes. Needs python3 and PyPI;
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install prometheus-client==0.26.0 datadog==0.56.0 statsd==4.0.1
cat >"$folder/try.py" <<'PYTHON'
import asyncio, socket, time
from importlib.metadata import version

import prometheus_client, statsd
from datadog.dogstatsd import DogStatsd

sample = prometheus_client.REGISTRY.get_sample_value


def measured(name, run):
    """What prometheus-client knows of a call that takes half a second and then fails."""
    during = []

    def decorate(call):
        call = prometheus_client.Histogram(name + "_time", "Time").time()(call)
        call = prometheus_client.Counter(name + "_errors", "Errors").count_exceptions()(call)
        return prometheus_client.Gauge(name + "_now", "Now").track_inprogress()(call)

    run(decorate, lambda: during.append(sample(name + "_now")))
    seen = [sample(name + "_time_sum"), sample(name + "_time_count"),
            sample(name + "_errors_total"), during[0]]
    print(f"prometheus-client {version('prometheus-client')}, {name}: {seen[0]:.6f} s in",
          f"{seen[1]:.0f} call, exceptions {seen[2]:.0f}, in progress {seen[3]:.0f}")
    return seen


def plain(decorate, look):
    @decorate
    def call():
        look()
        time.sleep(0.5)
        raise ValueError

    try: call()
    except ValueError: pass


def coroutine(decorate, look):
    @decorate
    async def call():
        look()
        await asyncio.sleep(0.5)
        raise ValueError

    try: asyncio.run(call())
    except ValueError: pass


one, other = measured("plain", plain), measured("coroutine", coroutine)
listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
listener.bind(("127.0.0.1", 0))
listener.settimeout(10)
address = listener.getsockname()
sent = {}
for library, decorate in (
        ("statsd", statsd.StatsClient(*address).timer("call")),
        ("datadog", DogStatsd(*address, disable_telemetry=True, disable_buffering=True)
            .timed("call"))):
    @decorate
    async def call(): await asyncio.sleep(0.5)

    asyncio.run(call())
    line = listener.recv(1000).decode().strip()
    print(library, version(library), line)
    value, kind = line.split(":")[1].split("|")[:2]
    sent[library] = float(value), kind
good = one[0] > 0.4 and one[1:] == [1, 1, 1] and other[0] < 0.01 and other[1:] == [1, 0, 0]
good &= 400 < sent["statsd"][0] < 5000 and 0.4 < sent["datadog"][0] < 5
raise SystemExit(0 if good and {kind for _, kind in sent.values()} == {"ms"} else 1)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
