#!/bin/bash
# symfony/rate-limiter 5.4.53 (PHP, Debian 12), policy sliding_window: a client that waits as told
# gets 55 of the 100 requests of its limit, one that asks each second gets all of them.
#
# getRetryAfter() of a refusal, which the documents put into a header, is the end of the current
# window. There the requests of the window that ended weigh in full: one request fits in, the next
# is refused and told to wait for the end of the new window, a minute later, although another one
# fits every six seconds. So of two windows the first serves one and the second ten. The client that
# does not listen has twice the throughput of the one that does, for fifty times the load. The
# policy is in the documents as one that smooths bursts. fixed_window and token_bucket serve both
# clients alike.
#
# Expected below, of ten requests a minute, asked for during ten minutes: by a client that waits as
# told, sliding_window serves 55, the others 100; by one that asks again after a second each serves
# 100 and refuses 591. Exits with 1 if that changes. Time is the script's own and no request leaves
# the process. Needs Debian 12 on x86-64 with apt-get; nothing is installed, everything stays in a
# temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download php8.2-cli php8.2-common libargon2-1 libsodium23 libxml2 \
    libpcre2-8-0 libedit2 libbsd0 libmd0 libicu72 php-symfony-deprecation-contracts \
    php-symfony-options-resolver php-symfony-lock \
    php-symfony-rate-limiter=5.4.53+dfsg-0+deb12u1 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.php" <<'PHP'
<?php
namespace {
    const BEGIN = 1900000000.0;
    $clock = BEGIN;
    function clock() { return $GLOBALS['clock']; }
}
namespace Symfony\Component\RateLimiter {
    function microtime($float = false) { return \clock(); }
}
namespace Symfony\Component\RateLimiter\Policy {
    function microtime($float = false) { return \clock(); }
}
namespace Symfony\Component\RateLimiter\Storage {
    function microtime($float = false) { return \clock(); }
}
namespace {
    use Symfony\Component\RateLimiter\RateLimiterFactory;
    use Symfony\Component\RateLimiter\Storage\InMemoryStorage;

    $share = $argv[1] . '/root/usr/share/php/';
    require $share . 'Symfony/Contracts/Deprecation/function.php';
    spl_autoload_register(function ($class) use ($share) {
        $file = $share . str_replace('\\', '/', $class) . '.php';
        if (is_file($file)) require $file;
    });

    function play($policy, $waitsAsTold) {
        $GLOBALS['clock'] = BEGIN;
        $limiter = (new RateLimiterFactory([
            'id' => 'api', 'policy' => $policy, 'limit' => 10, 'interval' => '1 minute',
            'rate' => ['interval' => '1 minute', 'amount' => 10],
        ], new InMemoryStorage()))->create('user');
        $served = $refused = 0;
        while (clock() < BEGIN + 600) {
            $limit = $limiter->consume();
            if ($limit->isAccepted()) {
                $served++;
                $GLOBALS['clock'] += 0.1;  // the next request of the client
                continue;
            }
            $refused++;
            $wait = (float) $limit->getRetryAfter()->format('U.u') - clock();
            $GLOBALS['clock'] += $waitsAsTold ? max(1, ceil($wait)) : 1;
        }
        return [$served, $refused];
    }

    $seen = [];
    foreach (['fixed_window', 'token_bucket', 'sliding_window'] as $policy) {
        foreach ([true, false] as $waitsAsTold) {
            $seen[] = [$served, $refused] = play($policy, $waitsAsTold);
            echo "$policy, ", $waitsAsTold ? 'waits as told' : 'asks each second',
                ": $served served, $refused refused\n";
        }
    }
    $eager = [100, 591];
    exit($seen == [[100, 10], $eager, [100, 10], $eager, [55, 10], $eager] ? 0 : 1);
}
PHP
LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu "$folder/root/usr/bin/php8.2" -n \
    "$folder/try.php" "$folder"
