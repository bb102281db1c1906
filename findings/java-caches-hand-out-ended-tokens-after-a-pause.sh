#!/bin/bash
# Guava 31.1 and Caffeine 2.6.2 (Java, Debian 12), refreshAfterWrite as a cache of tokens: after a
# quiet hour Caffeine hands the ended token to all callers, Guava to all but one; while the token
# endpoint is down both do so for ever.
#
# refreshAfterWrite(55 minutes) for a token of an hour reads like "a fresh one after 55 minutes".
# But a refresh begins at the first read after that time, and until it is done readers get the old
# value, however old: the first burst after a night goes out with a token of yesterday. In Guava the
# reader that began it waits, the others do not; in Caffeine it is in another thread. A refresh that
# fails is a warning in java.util.logging, and the old value stays. In Guava each read then tries
# again, in the thread of the call: with an endpoint that hangs each call of the API takes as long
# as its time-out, and gets an ended token for it. A load test has no quiet hour, so it shows
# neither. expireAfterWrite, shorter than the token's life, beside it: all wait for the new one.
#
# Expected below, of eight threads that read three seconds after a token was made, with a refresh
# after one second that takes 0.5 s: old tokens 7 with Guava, 8 with Caffeine, 0 with
# expireAfterWrite(2 s) too; then, with an endpoint that fails, three reads get the token from
# before, in 1.4 s or more and by 3 requests with Guava, under 0.4 s with Caffeine; with
# expireAfterWrite three exceptions. Exits with 1 if that changes. No request leaves the process;
# needs Debian 12 with apt-get and a Java development kit of 17 or later; nothing is installed,
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -q download libguava-java=31.1-1 libcaffeine-java=2.6.2-1.1 \
    >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/Try.java" <<'JAVA'
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.cache.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

public class Try {
    interface Tokens { String get() throws Exception; }

    static final AtomicInteger asked = new AtomicInteger();
    static volatile boolean isDown;

    static String ask() throws Exception {
        int number = asked.incrementAndGet();
        Thread.sleep(500);
        if (isDown) throw new Exception("503");
        return "token " + number;
    }

    static Tokens guava(boolean ends) {
        CacheBuilder<Object, Object> builder = CacheBuilder.newBuilder()
            .refreshAfterWrite(1, TimeUnit.SECONDS);
        if (ends) builder.expireAfterWrite(2, TimeUnit.SECONDS);
        LoadingCache<String, String> cache = builder.build(new CacheLoader<>() {
            public String load(String key) throws Exception { return ask(); }
        });
        return () -> cache.get("key");
    }

    static Tokens caffeine(boolean ends) {
        Caffeine<Object, Object> builder = Caffeine.newBuilder()
            .refreshAfterWrite(1, TimeUnit.SECONDS);
        if (ends) builder.expireAfterWrite(2, TimeUnit.SECONDS);
        var cache = builder.build((Object key) -> ask());
        return () -> (String) cache.get("key");
    }

    static boolean play(String name, Tokens tokens, boolean ends) throws Exception {
        isDown = false;
        asked.set(0);
        tokens.get();
        Thread.sleep(3000);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<String> got = new ArrayList<>();
        Callable<String> read = tokens::get;
        for (Future<String> one : threads.invokeAll(Collections.nCopies(8, read)))
            got.add(one.get());
        threads.shutdown();
        int old = Collections.frequency(got, "token 1");
        Thread.sleep(2500);
        isDown = true;
        asked.set(0);
        int stale = 0, failed = 0;
        long began = System.nanoTime();
        for (int time = 0; time < 3; time++) {
            try {
                if (tokens.get().equals("token 2")) stale++;
            } catch (Exception error) {
                failed++;
            }
        }
        double took = (System.nanoTime() - began) / 1e9;
        int requests = asked.get();
        Thread.sleep(1000);
        System.out.printf("%s, expireAfterWrite: %s: %d of 8 get the old token; endpoint down: "
            + "%d old ones, %d exceptions in %.1f s%n", name, ends, old, stale, failed, took);
        if (ends) return old == 0 && stale == 0 && failed == 3;
        if (name.startsWith("Guava")) return old == 7 && stale == 3 && took > 1.4 && requests == 3;
        return old == 8 && stale == 3 && took < 0.4;
    }

    public static void main(String[] arguments) throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        boolean isSo = true;
        for (boolean ends : List.of(false, true)) {
            isSo &= play("Guava 31.1", guava(ends), ends);
            isSo &= play("Caffeine 2.6.2", caffeine(ends), ends);
        }
        System.exit(isSo ? 0 : 1);
    }
}
JAVA
path=$folder/root/usr/share/java
timeout 120 java -cp "$path/guava-31.1-jre.jar:$path/caffeine-2.6.2.jar" "$folder/Try.java"
