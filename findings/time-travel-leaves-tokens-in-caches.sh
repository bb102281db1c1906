#!/bin/bash
# A test that travels two hours ahead, and a token that was cached for one: it is still there in
# cachetools 8.0.2 and async-lru 2.4.0 with freezegun 1.5.5 and with time-machine 3.6.0, in cacheout
# 0.17.0 with freezegun, in theine 2.0.0 and aiocache 0.12.3 with time-machine.
#
# Caches go by one of three clocks. Those that take time.monotonic or the loop's clock are left in
# real time by time-machine, which moves the time of day alone. freezegun moves both, but by putting
# another function in the place of each name: a cache that has the function as the default of an
# argument, as cachetools and cacheout do, has the real one. async-lru forgets by a timer of the
# loop, which comes after the first call that follows the journey. So a test of what happens after
# the end of a token sends the old token, and whether the client would have asked for a new one it
# does not say; a test that the old one is sent no more fails, where the client is right.
# expiringdict 1.2.2, memoization 0.4.0, diskcache 5.6.3 and cashews 7.6.0 travel with both.
#
# Expected below: by the first call after it the token is kept (k) or forgotten (f), with
# time-machine and with freezegun: cachetools kk, async-lru kk, cacheout fk, theine kf, aiocache kf,
# the others ff. Exits with 1 if that changes. No request is made. Needs python3 and PyPI;
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" -q install --no-compile freezegun==1.5.5 time-machine==3.6.0 \
    cachetools==8.0.2 async-lru==2.4.0 cacheout==0.17.0 theine==2.0.0 aiocache==0.12.3 \
    expiringdict==1.2.2 memoization==0.4.0 diskcache==5.6.3 cashews==7.6.0
cat >"$folder/try.py" <<'PYTHON'
import asyncio, datetime, itertools, sys
from importlib.metadata import version

import aiocache, async_lru, cacheout, cachetools, cashews, diskcache, expiringdict, freezegun
import memoization, theine, time_machine

HOUR = 3600
loop = asyncio.new_event_loop()
run = loop.run_until_complete


def by_call(decorate, is_async=False):
    """A decorated function: what it has cached is good for as long as it returns the first."""
    numbers = itertools.count(1)

    async def later(): return next(numbers)
    call = decorate(later if is_async else lambda: next(numbers))
    ask = (lambda: run(call())) if is_async else call
    return ask, lambda: ask() == 1


def with_cashews():
    cache = cashews.Cache()
    cache.setup("mem://")
    return by_call(cache(ttl="1h"), is_async=True)


def with_aiocache():
    cache = aiocache.SimpleMemoryCache()
    return lambda: run(cache.set("token", 1, ttl=HOUR)), lambda: run(cache.get("token")) == 1


def with_mapping(cache):
    return lambda: cache.__setitem__("token", 1), lambda: cache.get("token") == 1


def with_cache(cache, *life, **named):
    return lambda: cache.set("token", 1, *life, **named), lambda: cache.get("token") in (
        1, (1, True))


CACHES = {
    "cachetools": lambda: with_mapping(cachetools.TTLCache(9, HOUR)),
    "async-lru": lambda: by_call(async_lru.alru_cache(ttl=HOUR), is_async=True),
    "cacheout": lambda: with_cache(cacheout.Cache(ttl=HOUR)),
    "theine": lambda: with_cache(theine.Cache(9), datetime.timedelta(hours=1)),
    "aiocache": with_aiocache,
    "expiringdict": lambda: with_mapping(expiringdict.ExpiringDict(9, HOUR)),
    "memoization": lambda: by_call(memoization.cached(ttl=HOUR)),
    "diskcache": lambda: with_cache(diskcache.Cache(sys.argv[1] + "/disk"), expire=HOUR),
    "cashews": with_cashews,
}


def travel(make, start, ahead):
    with start as clock:
        put, has = make()
        put()
        assert has()
        ahead(clock)
        return "k" if has() else "f"


seen = {name: travel(make, time_machine.travel(1_900_000_000, tick=False),
                     lambda clock: clock.shift(2 * HOUR)) +
        travel(make, freezegun.freeze_time("2030-01-01"), lambda clock: clock.tick(2 * HOUR))
        for name, make in CACHES.items()}
print("time-machine", version("time-machine"), "- freezegun", version("freezegun"))
for name, ends in seen.items():
    print(name, version(name), ends)
raise SystemExit(" ".join(seen.values()) != "kk kk fk kf kf ff ff ff ff")
PYTHON
"$folder/venv/bin/python3" "$folder/try.py" "$folder"
