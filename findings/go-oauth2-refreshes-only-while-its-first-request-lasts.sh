#!/bin/bash
# golang.org/x/oauth2 0.3.0 (Debian 12): a client that was made with the context of a request works
# until its token ends, and then fails each call, until the process is restarted.
#
# Config.Client and clientcredentials take a context, and their page says that the HTTP transport is
# obtained with it. They also send each refresh with it, for as long as the client lives. A service
# that makes the client of a user, or of an API, at the first request that needs it, with the
# context of that request as reviews ask, and keeps it, has one that can refresh for as long as that
# request runs. Calls go on well for the hour that the token has, since they have contexts of their
# own. Then each returns "context canceled", though its own context is not and the token endpoint is
# well and not asked. A test that makes a client and calls does not show it; a start-up with a
# context of ten seconds does the same an hour later.
#
# Expected below, of a client made in a handler, by each of the two: the call of the handler and one
# after it, with a good token, are answered 200; two after the token's end fail with "context
# canceled", and no refresh arrives; with context.Background() they are answered 200 after 1
# refresh. Exits with 1 if that changes. Servers are in the process; needs Debian 12 on x86-64 with
# apt-get; nothing is installed, everything stays in a temporary folder, 600 MB meanwhile.
set -euo pipefail
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
    golang-golang-x-oauth2-dev=0.3.0-1 golang-golang-x-net-dev=1:0.7.0+dfsg-1 >apt.txt 2>&1) ||
    { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do
    dpkg -x "$package" "$folder/root"
    rm "$package"
done
cat >"$folder/main.go" <<'GO'
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

var refreshes int

func outcome(client *http.Client, url string) string {
	response, err := client.Get(url)
	if err != nil {
		words := strings.Split(err.Error(), ": ")
		return words[len(words)-1]
	}
	response.Body.Close()
	return response.Status
}

// play makes a client in a handler, calls with it there, after the handler, and twice after the end
// of the token; it returns the outcomes and the requests for tokens after the handler.
func play(maker func(context.Context, string) *http.Client, keep bool) string {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	mux.HandleFunc("/api", func(w http.ResponseWriter, r *http.Request) {})
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		refreshes++
		w.Header().Set("Content-Type", "application/json")
		// Ten seconds before its end a token counts as ended.
		fmt.Fprint(w, `{"access_token": "t", "token_type": "bearer", "expires_in": 12}`)
	})
	var client *http.Client
	var seen []string
	call := func() { seen = append(seen, outcome(client, server.URL+"/api")) }
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		if keep {
			ctx = context.Background()
		}
		client = maker(ctx, server.URL+"/token")
		call()
	})
	http.Get(server.URL + "/page")
	refreshes = 0
	call()
	time.Sleep(2200 * time.Millisecond)
	call()
	call()
	return fmt.Sprint(strings.Join(seen, ", "), ", refreshes: ", refreshes)
}

func main() {
	user := func(ctx context.Context, url string) *http.Client {
		config := oauth2.Config{ClientID: "c", Endpoint: oauth2.Endpoint{TokenURL: url}}
		return config.Client(ctx, &oauth2.Token{
			AccessToken: "a", RefreshToken: "r", Expiry: time.Now().Add(12 * time.Second)})
	}
	service := func(ctx context.Context, url string) *http.Client {
		config := clientcredentials.Config{ClientID: "c", TokenURL: url}
		return config.Client(ctx)
	}
	seen := []string{play(user, false), play(service, false), play(user, true), play(service, true)}
	fmt.Printf("made with the context of a request:\n%s\n%s\nwith Background:\n%s\n%s\n",
		seen[0], seen[1], seen[2], seen[3])
	canceled := "200 OK, 200 OK, context canceled, context canceled, refreshes: 0"
	well := "200 OK, 200 OK, 200 OK, 200 OK, refreshes: 1"
	if seen[0] != canceled || seen[1] != canceled || seen[2] != well || seen[3] != well {
		os.Exit(1)
	}
}
GO
root=$folder/root/usr
env -C "$folder" GOROOT="$root/lib/go-1.19" GOPATH="$root/share/gocode" GOCACHE="$folder/cache" \
    GO111MODULE=off GOFLAGS= CGO_ENABLED=0 "$root/lib/go-1.19/bin/go" build -o play main.go
"$folder/play"
