extension BuiltInProfile {
    /// `Profiles/token-expiry-storm.json`.
    static let tokenExpiryStorm = BuiltInProfile(
        name: "token-expiry-storm",
        text: #"""
            // What does it cost when everybody's access token expires at the same moment, a\#
            nd what would it cost
            // on a better token design?
            //
            // It asks about events: the load has been steady for minutes when the first of \#
            them comes, and tokens
            // would outlive the run without them.
            //
            // Ten thousand people use the four apps as they were built; beside them as many\#
             use the same apps on
            // the reference design, with the same habits. At 4 minutes the signing key is r\#
            otated: all access
            // tokens expire at once. At 8 minutes the refresh tokens go too, and everybody \#
            has to sign in again.
            //
            // Read "Populations", two lines for each app. "each" is how many refreshes one \#
            expiry took: 1 is
            // ideal, and the reference design never takes more. "peak/s" are refreshes in t\#
            he busiest second,
            // "419s" the answers that a token had expired, "out" the people who were shown \#
            the sign-in screen,
            // "wasted" the calls that served nobody, and "back" the longest time until as m\#
            any steps succeeded as
            // before a fault. Share.D and OOTD as built sign nobody out at 8 minutes: their\#
             people stay, and each
            // tap of theirs fails until somebody logs out of Share.D by hand, or starts OOT\#
            D anew, which asks for
            // the password whatever it has stored. The server has room for all of it, so th\#
            at neither half slows the other.
            {
              "schemaVersion": 1,
              "question": "What does a common expiry cost each app as built, and on the refe\#
            rence design?",
              "seed": 1,
              "duration": "12m",
              "populations": [
                {
                  "name": "scrolly as built",
                  "app": "scrolly",
                  "design": "asBuilt",
                  "users": 2500,
                  "journeys": { "resume": 4, "read": 2, "browse": 1 },
                  "thinkTime": { "exponential": { "mean": "20s" } },
                  "away": { "exponential": { "mean": "1m" } },
                  "arriveOver": "1m"
                },
                {
                  "name": "scrolly reference",
                  "app": "scrolly",
                  "design": "reference",
                  "users": 2500,
                  "journeys": { "resume": 4, "read": 2, "browse": 1 },
                  "thinkTime": { "exponential": { "mean": "20s" } },
                  "away": { "exponential": { "mean": "1m" } },
                  "arriveOver": "1m"
                },
                {
                  "name": "books as built",
                  "app": "thisBookThatBook",
                  "design": "asBuilt",
                  "users": 2500,
                  "journeys": {
                    "browse": 4, "profile": 2, "library": 1, "search": 1, "comment": 1, "pub\#
            lish": 1
                  },
                  "thinkTime": { "exponential": { "mean": "20s" } },
                  "away": { "exponential": { "mean": "1m" } },
                  "arriveOver": "1m"
                },
                {
                  "name": "books reference",
                  "app": "thisBookThatBook",
                  "design": "reference",
                  "users": 2500,
                  "journeys": {
                    "browse": 4, "profile": 2, "library": 1, "search": 1, "comment": 1, "pub\#
            lish": 1
                  },
                  "thinkTime": { "exponential": { "mean": "20s" } },
                  "away": { "exponential": { "mean": "1m" } },
                  "arriveOver": "1m"
                },
                {
                  "name": "presents as built",
                  "app": "shareD",
                  "design": "asBuilt",
                  "users": 2500,
                  "journeys": { "community": 4, "settings": 2, "comment": 1, "browse": 1, "l\#
            ogOut": 0.1 },
                  "thinkTime": { "exponential": { "mean": "20s" } },
                  "away": { "exponential": { "mean": "1m" } },
                  "arriveOver": "1m"
                },
                {
                  "name": "presents reference",
                  "app": "shareD",
                  "design": "reference",
                  "users": 2500,
                  "journeys": { "community": 4, "settings": 2, "comment": 1, "browse": 1, "l\#
            ogOut": 0.1 },
                  "thinkTime": { "exponential": { "mean": "20s" } },
                  "away": { "exponential": { "mean": "1m" } },
                  "arriveOver": "1m"
                },
                {
                  "name": "outfits as built",
                  "app": "ootd",
                  "design": "asBuilt",
                  "users": 2500,
                  "journeys": { "resume": 4, "scroll": 1, "publish": 1 },
                  "thinkTime": { "exponential": { "mean": "20s" } },
                  "away": { "exponential": { "mean": "1m" } },
                  "arriveOver": "1m"
                },
                {
                  "name": "outfits reference",
                  "app": "ootd",
                  "design": "reference",
                  "users": 2500,
                  "journeys": { "resume": 4, "scroll": 1, "publish": 1 },
                  "thinkTime": { "exponential": { "mean": "20s" } },
                  "away": { "exponential": { "mean": "1m" } },
                  "arriveOver": "1m"
                }
              ],
              "backend": {
                "generation": "both",
                "tokens": { "accessLifetime": "6h", "refreshLifetime": "2d" },
                "server": { "workers": 256, "serviceTime": { "exponential": { "mean": "5ms" \#
            } } },
                "faults": [
                  { "kind": "expireAllTokens", "at": "4m" },
                  { "kind": "expireAllTokens", "at": "8m" },
                  { "kind": "revokeRefreshTokens", "at": "8m" }
                ]
              },
              "thresholds": {
                "refreshes_per_expiry{design:reference}": ["value<=1"],
                "hangs": ["count==0"],
                "request_duration": ["p(99)<500ms"]
              }
            }

            """#)
}
