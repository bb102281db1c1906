#!/usr/bin/env bash
# pybreaker 1.4.1 lets one call through at a time, also when closed; circuitbreaker 2.1.3,
# aiobreaker 1.2.0 and purgatory 3.0.1 hold nobody back, also when half open.
#
# After its rest a circuit breaker is half open: by the pattern one call tries the backend, and the
# others fail fast until it has answered. With three of these, calls that come while the trial is
# under way are sent as well: a backend that is still down meets a whole screen of calls each time,
# from each client. aiobreaker then tells each of those callers that the breaker was open.
# pybreaker tries once, but because it holds a lock during each call: threads that share a closed
# breaker wait for one another, so eight calls take eight times as long.
#
# Expected below, of eight calls at one moment: how many run together while the breaker is closed,
# and how many reach the backend when it is half open, is 1 with pybreaker and 8 with the others.
# Exits with 1 if that changes. No request leaves the process. Needs python3 and PyPI; everything
# stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install \
    pybreaker==1.4.1 circuitbreaker==2.1.3 aiobreaker==1.2.0 purgatory==3.0.1
cat >"$folder/try.py" <<'PYTHON'
import asyncio, threading, time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from importlib.metadata import version

import aiobreaker, circuitbreaker, purgatory, pybreaker

REST, WORK = 1, 0.3  # seconds that a breaker stays open, and that a request takes
CALLS = 8


class Backend:
    def __init__(self):
        self.lock, self.is_up, self.sent, self.now, self.together = threading.Lock(), True, 0, 0, 0

    def begin(self):
        with self.lock:
            self.sent += 1
            self.now += 1
            self.together = max(self.together, self.now)

    def end(self):
        with self.lock:
            self.now -= 1
        if not self.is_up:
            raise OSError("down")

    def work(self):
        self.begin()
        time.sleep(WORK)
        self.end()

    async def work_async(self):
        self.begin()
        await asyncio.sleep(WORK)
        self.end()


def told(result): return "a response" if result is None else type(result).__name__


def with_threads(guard):
    backend = Backend()
    guarded = guard(backend.work)

    def call():
        try:
            guarded()
        except Exception as error:
            return error

    def at_once():
        with ThreadPoolExecutor(CALLS) as pool:
            return [future.result() for future in [pool.submit(call) for _ in range(CALLS)]]

    at_once()
    backend.is_up = False
    for _ in range(5):
        call()
    time.sleep(REST + 0.2)
    before = backend.sent
    results = at_once()
    return backend.together, backend.sent - before, sorted(set(map(told, results)))


async def with_tasks(guarded):
    backend = Backend()

    async def call():
        try:
            await guarded(backend.work_async)
        except Exception as error:
            return error

    await asyncio.gather(*[call() for _ in range(CALLS)])
    backend.is_up = False
    for _ in range(5):
        await call()
    await asyncio.sleep(REST + 0.2)
    before = backend.sent
    results = await asyncio.gather(*[call() for _ in range(CALLS)])
    return backend.together, backend.sent - before, sorted(set(map(told, results)))


breakers = purgatory.AsyncCircuitBreakerFactory(default_threshold=3, default_ttl=REST)


async def through_purgatory(work):
    async with await breakers.get_breaker("backend"):
        await work()

one = pybreaker.CircuitBreaker(fail_max=3, reset_timeout=REST)
other = aiobreaker.CircuitBreaker(fail_max=3, timeout_duration=timedelta(seconds=REST))
seen = {
    "pybreaker": with_threads(lambda work: lambda: one.call(work)),
    "circuitbreaker": with_threads(
        circuitbreaker.circuit(failure_threshold=3, recovery_timeout=REST)),
    "aiobreaker": asyncio.run(with_tasks(other.call_async)),
    "purgatory": asyncio.run(with_tasks(through_purgatory)),
}
for package, (together, tried, results) in seen.items():
    print(f"{package} {version(package)}: closed, {together} of {CALLS} calls ran together;",
          f"half open, {tried} of {CALLS} reached the backend, all were told {', '.join(results)}")
raise SystemExit(0 if {package: row[:2] for package, row in seen.items()} == {
    "pybreaker": (1, 1), "circuitbreaker": (8, 8), "aiobreaker": (8, 8), "purgatory": (8, 8),
} else 1)
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
