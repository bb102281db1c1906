#!/bin/bash
# google-oauth-client 1.34.1 (Java, Debian 12): a token endpoint that is down is a 401 of the API, a
# rate limit of it ends a good token, and a 401 without error="invalid_token" no refresh.
#
# Credential.intercept refreshes from a minute before a token's end. A 5xx of the endpoint is not
# raised there: where there is no token yet, as after a start, the call goes out without an
# Authorization header, and what the caller gets is HttpResponseException 401, the sign of a user
# who has no right to it, so apps sign out. Any 4xx with a JSON body sets the token to null, "it may
# have been revoked", a 429 too, and raises: a call is lost although its token was good for a minute
# more, and listeners that store credentials, DataStoreCredentialRefreshListener, store that there
# is none. After a 401, handleResponse looks for error="invalid_token" in a challenge of Bearer: RFC
# 6750, 3.1, has it as a SHOULD, and servers that answer Bearer realm="api" alone, for a token that
# was revoked, get that token until the end that it had. Without a challenge it refreshes.
#
# Expected below, as outcomes of a call: with a token that has 30 s left and 503, 200; with 429, an
# error of 429, no call, and no token after it; without a token and 503, a call without a header,
# and 401; with a token that was revoked and Bearer realm="api", 401 and no refresh, with
# error="invalid_token" or without a challenge 200 after 1 refresh. Exits with 1 if that changes.
# The server is in the same process; needs Debian 12 with apt-get and a Java development kit of 17
# or later; nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -q download libgoogle-oauth-client-java=1.34.1-2 \
    libgoogle-http-client-java=1.42.0-2 libgoogle-gson-java libguava-java libopencensus-java \
    libgrpc-java >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/Try.java" <<'JAVA'
import com.google.api.client.auth.oauth2.*;
import com.google.api.client.http.*;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.sun.net.httpserver.*;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.*;

public class Try {
    static final List<String> seen = new ArrayList<>();
    static final NetHttpTransport transport = new NetHttpTransport();
    static int tokenStatus;
    static boolean isRevoked;
    static String challenge, base;

    static void respond(HttpExchange exchange, int status, String body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length());
        exchange.getResponseBody().write(body.getBytes());
        exchange.close();
    }

    /** What a call with such a token, or with none, meets; afterwards the token that is left. */
    static String play(String token, long seconds) throws IOException {
        Credential credential = new Credential.Builder(
            BearerToken.authorizationHeaderAccessMethod()).setTransport(transport)
            .setJsonFactory(GsonFactory.getDefaultInstance())
            .setTokenServerEncodedUrl(base + "/token")
            .setClientAuthentication(new ClientParametersAuthentication("c", "s")).build();
        credential.setAccessToken(token).setRefreshToken("r");
        if (token != null) credential.setExpiresInSeconds(seconds);
        seen.clear();
        String end;
        try {
            end = "" + transport.createRequestFactory(credential)
                .buildGetRequest(new GenericUrl(base + "/api")).execute().getStatusCode();
        } catch (HttpResponseException error) {
            end = error.getClass().getSimpleName() + " " + error.getStatusCode();
        }
        return seen + ", end: " + end + ", token: " + credential.getAccessToken();
    }

    static boolean check(String name, String is, String expected) {
        System.out.println(name + ": " + is);
        return is.equals(expected);
    }

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        base = "http://127.0.0.1:" + server.getAddress().getPort();
        server.createContext("/token", exchange -> {
            seen.add("refresh " + tokenStatus);
            respond(exchange, tokenStatus, tokenStatus != 200 ? "{\"error\": \"busy\"}"
                : "{\"access_token\": \"new\", \"expires_in\": 3600}");
        });
        server.createContext("/api", exchange -> {
            String header = exchange.getRequestHeaders().getFirst("Authorization");
            boolean isGood = header != null && !(isRevoked && header.equals("Bearer old"));
            seen.add(header + " " + (isGood ? 200 : 401));
            if (challenge != null && !isGood)
                exchange.getResponseHeaders().set("WWW-Authenticate", challenge);
            respond(exchange, isGood ? 200 : 401, "{}");
        });
        server.start();
        tokenStatus = 503;
        boolean isAsExpected = check("30 s left, 503", play("old", 30),
            "[refresh 503, Bearer old 200], end: 200, token: old");
        isAsExpected &= check("no token, 503", play(null, 0), "[refresh 503, null 401, "
            + "refresh 503], end: HttpResponseException 401, token: null");
        tokenStatus = 429;
        isAsExpected &= check("30 s left, 429", play("old", 30),
            "[refresh 429], end: TokenResponseException 429, token: null");
        tokenStatus = 200;
        isRevoked = true;
        String well = "[Bearer old 401, refresh 200, Bearer new 200], end: 200, token: new";
        isAsExpected &= check("revoked, no challenge", play("old", 3000), well);
        challenge = "Bearer error=\"invalid_token\"";
        isAsExpected &= check("revoked, " + challenge, play("old", 3000), well);
        challenge = "Bearer realm=\"api\"";
        isAsExpected &= check("revoked, " + challenge, play("old", 3000),
            "[Bearer old 401], end: HttpResponseException 401, token: old");
        System.exit(isAsExpected ? 0 : 1);
    }
}
JAVA
path=$(printf '%s:' "$folder"/root/usr/share/java/{google-oauth-client,google-http-client,\
google-http-client-gson,guava,gson,opencensus-api,opencensus-contrib-http-util,grpc-context}.jar)
timeout 60 java -cp "$path" "$folder/Try.java"
