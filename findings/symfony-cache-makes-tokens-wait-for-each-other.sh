#!/bin/bash
# symfony/cache 5.4.53 (PHP, Debian 12): 26 locks for all keys; while the token of one user is
# fetched slowly, one other user in 26 waits for it, and sixty tokens of a second each take six.
#
# CacheInterface::get() computes a missing value under a lock against stampedes, so that one process
# asks and the others read what it got. The locks are flock() on the files of the package's own
# adapters, 26 of them, taken by the hash of the key: a lock is not that of a key but of all keys
# with its remainder, in all pools. Who waits behind another key finds nothing, tries again, and
# takes its turn in the line. So with tokens of users, or of tenants, under one key each, at most 26
# are fetched at a time on a machine, and one token endpoint that hangs holds workers of PHP for
# users of other ones. On the command line, where a command is tried and the tests run, there is no
# lock. The documents have the lock as that of a key.
#
# Expected below, with PHP's own server: while the value of one key takes 3 s, one of a key with the
# same lock takes more than 2 s, of another key under 1 s, and one that is in the cache under 1 s;
# 60 keys of 1 s each take 4 s or more with 60 workers. Exits with 1 if that changes. Needs Debian
# 12 on x86-64 with apt-get and python3; nothing is installed, everything stays in a temporary
# folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -q download php8.2-cli php8.2-common libargon2-1 libsodium23 libxml2 \
    libpcre2-8-0 libedit2 libbsd0 libmd0 libicu72 php-symfony-cache=5.4.53+dfsg-0+deb12u1 \
    php-symfony-cache-contracts php-symfony-service-contracts php-symfony-deprecation-contracts \
    php-symfony-var-exporter php-psr-cache php-psr-log php-psr-container >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/index.php" <<'PHP'
<?php
$share = __DIR__ . '/root/usr/share/php/';
require $share . 'Symfony/Contracts/Deprecation/function.php';
spl_autoload_register(function ($class) use ($share) {
    $file = $share . str_replace('\\', '/', $class) . '.php';
    if (is_file($file)) require $file;
});
$cache = new Symfony\Component\Cache\Adapter\FilesystemAdapter('tokens', 3600, __DIR__ . '/cache');
echo $cache->get($_GET['key'], function () {
    usleep($_GET['seconds'] * 1000000); // the token endpoint
    return 'token';
});
PHP
cat >"$folder/try.py" <<'PYTHON'
import os, pathlib, socket, subprocess, sys, time, urllib.request, zlib
from concurrent.futures import ThreadPoolExecutor

folder = pathlib.Path(sys.argv[1])
root = folder / "root/usr"
LOCKS, USERS = 26, 60
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]


def get(key, seconds):
    began = time.monotonic()
    address = f"http://127.0.0.1:{port}/?key={key}&seconds={seconds}"
    with urllib.request.urlopen(address, timeout=50) as response:
        assert response.read() == b"token"
    return time.monotonic() - began


def lock(key): return zlib.crc32(key.encode()) % LOCKS


slow = "slow"
others = [f"other-{number}" for number in range(500)]
same = next(key for key in others if lock(key) == lock(slow))
apart = next(key for key in others if lock(key) != lock(slow))
server = subprocess.Popen(
    [root / "bin/php8.2", "-n", "-S", f"127.0.0.1:{port}", folder / "index.php"], cwd=folder,
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    env=os.environ | {"LD_LIBRARY_PATH": str(root / "lib/x86_64-linux-gnu"),
                      "PHP_CLI_SERVER_WORKERS": str(USERS)})
try:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    get("cached", 0)
    with ThreadPoolExecutor(USERS) as pool:
        first = pool.submit(get, slow, 3)
        time.sleep(0.5)
        behind, beside, read = pool.map(get, (same, apart, "cached"), (0, 0, 0))
        first.result()
        many = max(pool.map(get, [f"user-{number}" for number in range(USERS)], [1] * USERS))
finally:
    os.killpg(server.pid, 15)
    server.wait()
print(f"while one key takes 3 s: a key with its lock {behind:.1f} s, another key {beside:.1f} s,",
      f"one that is cached {read:.1f} s; {USERS} keys of 1 s each: {many:.1f} s")
raise SystemExit(not (behind > 2 and beside < 1 and read < 1 and many >= 4))
PYTHON
python3 "$folder/try.py" "$folder"
