#!/usr/bin/env bash
# aiocache 0.12.3, dogpile.cache 1.5.0 and cashews 7.6.0: eight callers wait for one token behind a
# lock against stampedes; the request for it fails, and seven more are sent.
#
# aiocache's cached_stampede lets all waiters pass when the first is done, well or not: seven at
# once, to an endpoint that has just answered 503. It also does when the first takes longer than its
# lease, 2 s by itself, so that the lock is gone whenever the endpoint is slow; that is in its
# documents, the other is not. dogpile.cache, and cashews with its decorator locked, let one waiter
# after the other ask: the eighth is told after eight time-outs instead of one. cashews with
# lock=True, which reads like a shorthand of that decorator, and async-lru 2.4.0 send one and give
# its error to all. With a request that succeeds no difference shows.
#
# Expected below, of eight callers at one moment: requests, and how many of them together, are 8 and
# 7 with aiocache, 8 and 1 with dogpile.cache and locked, 1 and 1 with the others; for one of 2.5 s
# that succeeds 8 and 8 with aiocache; for one of 0.2 s 1 and 1 with all. Exits with 1 if that
# changes. No request leaves the process. Needs python3 and PyPI; everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install \
    aiocache==0.12.3 dogpile.cache==1.5.0 cashews==7.6.0 async-lru==2.4.0
cat >"$folder/try.py" <<'PYTHON'
import asyncio, logging, threading, time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import aiocache, async_lru, cashews
from dogpile.cache import make_region

logging.disable()
CALLERS = 8


class Endpoint:
    def __init__(self, seconds, works):
        self.seconds, self.works, self.lock = seconds, works, threading.Lock()
        self.asked = self.now = self.together = 0

    def begin(self):
        with self.lock:
            self.asked += 1
            self.now += 1
            self.together = max(self.together, self.now)

    def end(self):
        with self.lock:
            self.now -= 1
        if not self.works:
            raise OSError("503")
        return "token"

    def token(self):
        self.begin()
        time.sleep(self.seconds)
        return self.end()

    async def token_async(self):
        self.begin()
        await asyncio.sleep(self.seconds)
        return self.end()


def with_aiocache(endpoint):
    async def token(): return await endpoint.token_async()
    return aiocache.cached_stampede(ttl=60, key=str(id(endpoint)))(token)


def with_cashews(endpoint, lock):
    cache = cashews.Cache()
    cache.setup("mem://")

    async def token(): return await endpoint.token_async()
    if lock:
        return cache(ttl="60s", key="token", lock=True)(token)
    return cache.locked(key="token", ttl="30s")(cache(ttl="60s", key="token")(token))


def with_async_lru(endpoint):
    async def token(): return await endpoint.token_async()
    return async_lru.alru_cache(ttl=60)(token)


def with_dogpile(endpoint):
    region = make_region().configure("dogpile.cache.memory", expiration_time=60)
    return lambda: region.get_or_create("token", endpoint.token)


async def in_tasks(token):
    await asyncio.gather(*[token() for _ in range(CALLERS)], return_exceptions=True)


def in_threads(token):
    with ThreadPoolExecutor(CALLERS) as pool:
        for future in [pool.submit(token) for _ in range(CALLERS)]:
            future.exception()


def play(wrap, seconds, works):
    endpoint = Endpoint(seconds, works)
    if wrap is with_dogpile:
        in_threads(wrap(endpoint))
    else:
        asyncio.run(in_tasks(wrap(endpoint)))
    return endpoint.asked, endpoint.together


for name in ("aiocache", "dogpile.cache", "cashews", "async-lru"):
    print(name, version(name))
changed = False
for name, wrap, expected in (
    ("aiocache", with_aiocache, (8, 7)), ("dogpile.cache", with_dogpile, (8, 1)),
    ("cashews, locked", lambda endpoint: with_cashews(endpoint, False), (8, 1)),
    ("cashews, lock=True", lambda endpoint: with_cashews(endpoint, True), (1, 1)),
    ("async-lru", with_async_lru, (1, 1)),
):
    failed, good = play(wrap, 0.2, False), play(wrap, 0.2, True)
    changed |= failed != expected or good != (1, 1)
    print(f"{name}: a request that fails becomes {failed[0]}, {failed[1]} together;",
          f"one that succeeds {good[0]}")
slow = play(with_aiocache, 2.5, True)
print(f"aiocache, one of 2.5 s: {slow[0]}, {slow[1]} together")
raise SystemExit(changed or slow != (8, 8))
PYTHON
"$folder/venv/bin/python3" "$folder/try.py"
