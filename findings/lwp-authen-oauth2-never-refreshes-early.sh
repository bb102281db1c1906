#!/bin/bash
# LWP::Authen::OAuth2 0.20 (Perl, Debian 12): told to refresh five minutes before a token's end, or
# an hour before it, it refreshes after the end.
#
# early_refresh_time is "how many seconds before the end" should_refresh begins to be true, 300 by
# itself; values over half of the token's first life are cut. The cut is made with what is left of
# the life, not with the first life: a token with 200 s to live is compared with a margin of 100 s,
# one with 20 s with a margin of 10 s. No number is below its own half, so should_refresh is false
# until the token has ended, whatever is set. Each end of a token therefore is at the server's clock
# first: the calls between the server's end and the client's, which comes later by the time that the
# response took, and by what the clocks differ, are refused, and sent twice.
#
# Expected below, of a token of 3,600 s and a call 3,000, 3,400, 3,590 and 3,599 s after it came: no
# refresh, with margins of 300, 1,500 and 3,600 s; 3,601 s after it 1. Exits with 1 if that changes.
# Time is the script's own and no request leaves the process. Needs Debian 12 with apt-get and perl;
# nothing is installed, everything stays in a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/root"
(cd "$folder" && apt-get -q download liblwp-authen-oauth2-perl=0.20-1 libwww-perl libjson-perl \
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
use JSON;
use HTTP::Response;
use LWP::Authen::OAuth2;

package Server;
use parent -norequire, 'LWP::UserAgent';
our $refreshes = 0;

sub request {
    my ($self, $request) = @_;
    my $is_refresh = $request->uri =~ /token$/;
    $refreshes++ if $is_refresh;
    my $value = $is_refresh
        ? {access_token => "new", refresh_token => "r", token_type => "bearer", expires_in => 3600}
        : {};
    return HTTP::Response->new(
        200, "OK", ["Content-Type" => "application/json"], JSON::encode_json($value));
}

package main;
print "LWP::Authen::OAuth2 $LWP::Authen::OAuth2::VERSION\n";
my $start = $now;
my $changed = 0;
for my $margin (300, 1500, 3600) {
    my @seen;
    for my $after (3000, 3400, 3590, 3599, 3601) {
        $now = $start;
        my $client = LWP::Authen::OAuth2->new(
            client_id => "id", client_secret => "secret", user_agent => Server->new,
            authorization_endpoint => "https://api.test/authorize",
            token_endpoint => "https://api.test/token", early_refresh_time => $margin,
            token_string => encode_json({
                _class => "LWP::Authen::OAuth2::AccessToken::Bearer", access_token => "old",
                refresh_token => "r", token_type => "bearer", expires_in => 3600,
                create_time => $start}));
        $now = $start + $after;
        $Server::refreshes = 0;
        $client->get("https://api.test/items");
        push @seen, "$after s: $Server::refreshes";
        $changed ||= $Server::refreshes != ($after > 3600 ? 1 : 0);
    }
    print "margin $margin s, refreshes of a call after ", join(", ", @seen), "\n";
}
exit($changed ? 1 : 0);
PERL
libraries="$folder/root/usr/share/perl5"
for more in "$folder"/root/usr/lib/*/perl5/*; do libraries="$libraries:$more"; done
PERL5LIB="$libraries" perl "$folder/try.pl"
