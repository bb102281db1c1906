extension BuiltInProfile {
    /// `Profiles/million.json`.
    static let million = BuiltInProfile(
        name: "million",
        text: #"""
            // What do the tokens of a million rarely used phones cost one server when all o\#
            f them are opened?
            //
            // It asks about an event, the half hour in which all of them come, and not abou\#
            t the fewer who come in
            // any other half hour: nothing is left out. A million people open one of the fo\#
            ur apps once within half
            // an hour, read in it for some minutes and put the phone away; some come back. \#
            Their tokens live five
            // minutes, so every visit begins on an expired one: read "Refreshes" for how ma\#
            ny the server must answer
            // a second although hardly anybody is active at once, and "Populations" for how\#
             many refreshes one expiry
            // takes in each app ("each"). OOTD's people come back to an app that was never \#
            closed: whoever starts it
            // anew signs in, and would need no refresh. "Causes of attempts" says how much \#
            of the load is what people
            // came for. Time and memory of the run are in the manifest.
            //
            // The verdict is a failure: in 이책저책 a profile edited on an expired token signs \#
            out a person whose
            // session was fine.
            {
              "schemaVersion": 1,
              "question": "What do the tokens of a million rarely used phones cost one serve\#
            r when all are opened within half an hour?",
              "seed": 1,
              "duration": "30m",
              "populations": [
                {
                  "name": "readers",
                  "app": "scrolly",
                  "users": 250000,
                  "journeys": { "resume": 3, "browse": 2, "read": 1 },
                  "thinkTime": { "exponential": { "mean": "30s" } },
                  "away": { "exponential": { "mean": "4h" } },
                  "arriveOver": "30m",
                  "initialTokens": "expired"
                },
                {
                  "name": "book lovers",
                  "app": "thisBookThatBook",
                  "users": 250000,
                  "journeys": { "browse": 2, "profile": 1 },
                  "thinkTime": { "exponential": { "mean": "30s" } },
                  "away": { "exponential": { "mean": "4h" } },
                  "arriveOver": "30m",
                  "initialTokens": "expired"
                },
                {
                  "name": "givers",
                  "app": "shareD",
                  "users": 250000,
                  "journeys": { "community": 2, "settings": 1 },
                  "thinkTime": { "exponential": { "mean": "30s" } },
                  "away": { "exponential": { "mean": "4h" } },
                  "arriveOver": "30m",
                  "initialTokens": "expired"
                },
                {
                  "name": "dressers",
                  "app": "ootd",
                  "users": 250000,
                  "journeys": { "resume": 1 },
                  "thinkTime": { "exponential": { "mean": "30s" } },
                  "away": { "exponential": { "mean": "4h" } },
                  "arriveOver": "30m",
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "generation": "both",
                "tokens": { "accessLifetime": "5m", "refreshLifetime": "1d" },
                "server": { "workers": 512, "serviceTime": { "exponential": { "mean": "5ms" \#
            } } }
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
