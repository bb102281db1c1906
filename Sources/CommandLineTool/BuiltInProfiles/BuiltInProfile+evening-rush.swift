extension BuiltInProfile {
    /// `Profiles/evening-rush.json`.
    static let eveningRush = BuiltInProfile(
        name: "evening-rush",
        text: #"""
            // How do the four apps get through an evening in which everybody reads, comment\#
            s and buys?
            //
            // People arrive at random for three hours: more and more of them until eight, t\#
            he same number for an
            // hour, then fewer until ten. Their access tokens live ten minutes, so most vis\#
            its meet an expiry or
            // two, never all at once. Nothing is done to the server: whatever fails here fa\#
            ils every evening.
            // It asks about an event, the evening as a whole, so nothing of it is left out;\#
             people come with
            // tokens as old as they are on any evening ("aged"), not with new ones.
            //
            // The verdict is a failure, as on every other evening (of seeds 1 to 4 on 3 and\#
             4): somebody in
            // 이책저책 deletes something on an expired token, the app never refreshes for that,\#
             and signs out a
            // person whose session was fine.
            //
            // Read "Steps" for what people get out of it, "Audits" for what nobody sees at \#
            once (purchases paid
            // for twice or lost, likes and rows that are wrong, sessions without an owner),\#
             and "Populations" for
            // what each app's tokens cost.
            {
              "schemaVersion": 1,
              "question": "What goes wrong on an ordinary evening of browsing, reading, comm\#
            enting and buying?",
              "seed": 3,
              "duration": "3h",
              "populations": [
                {
                  "name": "readers",
                  "app": "scrolly",
                  "users": 2000,
                  "journeys": {
                    "read": 5, "browse": 3, "resume": 3, "catchUp": 1, "comment": 1, "buy": \#
            1
                  },
                  "load": {
                    "partlyOpen": {
                      "continue": 0.3,
                      "stages": [
                        { "ramp": { "from": 0.2, "to": 1, "for": "1h" } },
                        { "constant": { "rate": 1, "for": "1h" } },
                        { "ramp": { "from": 1, "to": 0.1, "for": "1h" } }
                      ]
                    }
                  },
                  "thinkTime": { "exponential": { "mean": "10s" } },
                  "away": { "exponential": { "mean": "5m" } },
                  "initialTokens": "aged"
                },
                {
                  "name": "book lovers",
                  "app": "thisBookThatBook",
                  "users": 1000,
                  "journeys": {
                    "browse": 5, "comment": 2, "likeBurst": 2, "profile": 2, "library": 1, "\#
            follow": 1,
                    "search": 1, "publish": 1, "publishRequest": 0.5, "buy": 1, "logOut": 0.\#
            1
                  },
                  "load": {
                    "partlyOpen": {
                      "continue": 0.3,
                      "stages": [
                        { "ramp": { "from": 0.1, "to": 0.5, "for": "1h" } },
                        { "constant": { "rate": 0.5, "for": "1h" } },
                        { "ramp": { "from": 0.5, "to": 0.05, "for": "1h" } }
                      ]
                    }
                  },
                  "thinkTime": { "exponential": { "mean": "8s" } },
                  "away": { "exponential": { "mean": "5m" } },
                  "initialTokens": "aged"
                },
                {
                  "name": "givers",
                  "app": "shareD",
                  "users": 1000,
                  "journeys": {
                    "community": 5, "browse": 2, "likeBurst": 2, "comment": 2, "ask": 1, "se\#
            ttings": 1,
                    "buy": 1, "logOut": 0.1
                  },
                  "load": {
                    "partlyOpen": {
                      "continue": 0.3,
                      "stages": [
                        { "ramp": { "from": 0.1, "to": 0.5, "for": "1h" } },
                        { "constant": { "rate": 0.5, "for": "1h" } },
                        { "ramp": { "from": 0.5, "to": 0.05, "for": "1h" } }
                      ]
                    }
                  },
                  "thinkTime": { "exponential": { "mean": "8s" } },
                  "away": { "exponential": { "mean": "5m" } },
                  "initialTokens": "aged"
                },
                {
                  "name": "dressers",
                  "app": "ootd",
                  "users": 500,
                  "journeys": { "resume": 4, "scroll": 2, "publish": 1, "refresh": 0.2 },
                  "load": {
                    "partlyOpen": {
                      "continue": 0.3,
                      "stages": [
                        { "ramp": { "from": 0.05, "to": 0.25, "for": "1h" } },
                        { "constant": { "rate": 0.25, "for": "1h" } },
                        { "ramp": { "from": 0.25, "to": 0.025, "for": "1h" } }
                      ]
                    }
                  },
                  "thinkTime": { "exponential": { "mean": "8s" } },
                  "away": { "exponential": { "mean": "5m" } },
                  "initialTokens": "aged"
                }
              ],
              "backend": {
                "generation": "both",
                "tokens": { "accessLifetime": "10m", "refreshLifetime": "2d" },
                "server": { "workers": 64, "serviceTime": { "exponential": { "mean": "5ms" }\#
             } }
              },
              "thresholds": {
                "hangs": ["count==0"],
                "sessions_lost": ["count==0"],
                "request_duration": ["p(99)<500ms"]
              },
              "output": { "timeseriesInterval": "10s" }
            }

            """#)
}
