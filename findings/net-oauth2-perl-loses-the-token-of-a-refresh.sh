#!/bin/bash
# Net::OAuth2 0.67 (Perl, Debian 12): auto_save, which is to store a token that was refreshed, is
# never called; and a refresh without expires_in throws the new refresh token away.
#
# The manual of Net::OAuth2::Profile::WebServer has auto_save as a function for the moment when "a
# new token is received or refreshed", because to notice a refresh elsewhere is a hassle. Its value
# is looked at in one place, whether there is one, and each token refreshes itself then. Where a
# server rotates, what is stored is the refresh token of the sign-in, which is dead after the first
# hour, and the app has to send its user to a sign-in after the next restart; until then all is
# well. changed(), the other way, is documented as not for profiles with auto_save. In a response to
# a refresh expires_in may be missing (RFC 6749, 5.1), at the sign-in it may be here as well; there
# the refresh dies after the server has rotated, and the object keeps the refresh token of before.
#
# Expected below, of a server that rotates, and two calls an hour apart: 2 refreshes, both calls
# arrive with the new tokens, and auto_save was called 0 times; with the stored session a third call
# dies, refused with 400. Without expires_in the first call dies for it and the second with 400, for
# the refresh token of the sign-in. Exits with 1 if that changes. Time is the script's own and no
# request leaves the process. Needs Debian 12 with apt-get and perl; nothing is installed,
# everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download libnet-oauth2-perl=0.67-1 libjson-maybexs-perl libwww-perl \
    libhttp-message-perl libhttp-date-perl liburi-perl libencode-locale-perl libtimedate-perl \
    liblwp-mediatypes-perl libio-html-perl libclone-perl libtry-tiny-perl libnet-http-perl \
    libhttp-cookies-perl libhttp-negotiate-perl libhtml-parser-perl libhtml-tagset-perl \
    libfile-listing-perl libwww-robotrules-perl >apt.txt 2>&1) || { cat "$folder/apt.txt"; exit 1; }
for package in "$folder"/*.deb; do dpkg -x "$package" "$folder/root"; done
cat >"$folder/try.pl" <<'PERL'
use strict;
use warnings;

our $now;
BEGIN { $now = 1_900_000_000; *CORE::GLOBAL::time = sub { $now } }
use HTTP::Response;
use JSON::PP;
use LWP::UserAgent;
use Net::OAuth2::AccessToken;
use Net::OAuth2::Profile::WebServer;

package Server;
use parent -norequire, 'LWP::UserAgent';
our ($current, $refreshes, $states_life, @calls);

sub request {
    my ($self, $request) = @_;
    my ($status, $value) = (200, {});
    if ($request->uri->path eq "/token") {
        my ($shown) = $request->content =~ /refresh_token=refresh-(\d+)/;
        $refreshes++;
        if ($shown == $current) {
            $current++;
            $value = {access_token => "access-$current", refresh_token => "refresh-$current",
                token_type => "Bearer", $states_life ? (expires_in => 3600) : ()};
        }
        else { ($status, $value) = (400, {error => "invalid_grant"}) }
    }
    else { push @calls, $request->header("Authorization") }
    return HTTP::Response->new(
        $status, "", ["Content-Type" => "application/json"], JSON::PP::encode_json($value));
}

package main;
my $saves = 0;

sub profile {
    return Net::OAuth2::Profile::WebServer->new(
        client_id => "id", client_secret => "secret", site => "https://api.test",
        access_token_path => "/token", refresh_token_path => "/token",
        user_agent => Server->new, auto_save => sub { $saves++ });
}

sub outcome {
    my $token = shift;
    return eval { $token->get("/items"); "arrives" } || ($@ =~ /(no expires_in|400)/)[0];
}

sub play {
    ($Server::states_life, $Server::current, $Server::refreshes, @Server::calls) = (shift, 0, 0);
    $saves = 0;
    my $token = Net::OAuth2::AccessToken->new(
        profile => profile(), auto_refresh => 1, access_token => "access-0",
        refresh_token => "refresh-0", token_type => "Bearer", expires_in => 3600);
    my $stored = $token->session_freeze;
    my @seen;
    for (1, 2) {
        $now += 3600;
        push @seen, outcome($token);
    }
    push @seen, outcome(Net::OAuth2::AccessToken->session_thaw($stored, profile => profile()));
    return join(" ", @seen, "-", $Server::refreshes, "refreshes, saved", $saves, "times;",
        @Server::calls);
}

print "Net::OAuth2 $Net::OAuth2::AccessToken::VERSION\n";
my ($with, $without) = (play(1), play(0));
print "two calls and one after a restart: $with\nthe same without expires_in: $without\n";
exit($with ne "arrives arrives 400 - 3 refreshes, saved 0 times; Bearer access-1 Bearer access-2"
    || $without !~ /^no expires_in 400 400 - 3 refreshes, saved 0 times; *$/ ? 1 : 0);
PERL
libraries="$folder/root/usr/share/perl5"
for more in "$folder"/root/usr/lib/*/perl5/*; do libraries="$libraries:$more"; done
PERL5LIB="$libraries" perl "$folder/try.pl"
