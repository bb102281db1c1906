extension BuiltInProfile {
    /// `Profiles/quick.json`.
    static let quick = BuiltInProfile(
        name: "quick",
        text: #"""
            // What happens when a thousand readers use Scrolly as it was built, for ten min\#
            utes?
            //
            // It begins in the steady state that it asks about: tokens are as old as they a\#
            re in the long run
            // ("aged"), and two minutes before the ten, in which everybody arrives, are lef\#
            t out. Access tokens
            // live five minutes, so most readers outlive one, and at 9 minutes of the run's\#
             12 the signing key is
            // rotated: every token expires at once. Read "Storms": a step that began on an \#
            expired token should
            // need one refresh. The main screen needs four and an episode six, and "Expired\#
             answers" shows that
            // the document (endpoint "file") is never refreshed at all.
            {
              "schemaVersion": 1,
              "question": "How does Scrolly's own token design behave when tokens expire?",
              "seed": 1,
              "duration": "12m",
              "warmUp": { "for": "2m" },
              "populations": [
                {
                  "name": "readers",
                  "app": "scrolly",
                  "design": "asBuilt",
                  "users": 1000,
                  "journeys": { "read": 5, "browse": 2, "resume": 3, "buy": 1, "comment": 0.\#
            2 },
                  "thinkTime": { "exponential": { "mean": "8s" } },
                  "away": { "exponential": { "mean": "2m" } },
                  "arriveOver": "1m",
                  "patience": "90s",
                  "startsSignedIn": true,
                  "initialTokens": "aged"
                }
              ],
              "backend": {
                "generation": "2024",
                "tokens": { "accessLifetime": "5m", "refreshLifetime": "6h" },
                "server": { "workers": 64, "serviceTime": { "exponential": { "mean": "5ms" }\#
             } },
                "faults": [{ "kind": "expireAllTokens", "at": "9m" }]
              },
              "thresholds": {
                "hangs": ["count==0"],
                "sessions_lost": ["count==0"],
                "step_failed": ["rate<0.05"],
                "step_duration{step:main}": ["p(95)<3s"],
                "request_duration": ["p(99)<500ms"]
              }
            }

            """#)
}
