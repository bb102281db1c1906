extension BuiltInProfile {
    /// `Profiles/races/scrolly-storm.json`.
    static let scrollyStorm = BuiltInProfile(
        name: "scrolly-storm",
        text: #"""
            // Scrolly's main screen asks for four things at once on an expired token: each \#
            refreshes on its own, and
            // one that is refused late refreshes a token that is fresh.
            {
              "schemaVersion": 1,
              "question": "How often does Scrolly's main screen refresh one expiry?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "scrolly",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "read": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "generation": "2024",
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": { "novels": 2, "episodesPerNovelMin": 4, "episodesPerNovelMax": 4\#
            , "bookPosts": 24, "giftQuestions": 24, "outfits": 24 },
                "catalogue": { "items": 20 },
                "server": { "serviceTime": "5ms" }
              },
              "explore": {
                "schedules": 300,
                "invariants": ["S1", "S4"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "step", "what": "read.main" }
                ]
              }
            }

            """#)

    /// `Profiles/races/semantics-coexist.json`.
    static let semanticsCoexist = BuiltInProfile(
        name: "semantics-coexist",
        text: #"""
            // The reference design before a server whose refreshes are 'coexist': two expir\#
            ies, a refresh that fails, one
            // whose answer is lost, and a log-out while calls are under way. Each fault str\#
            ikes or stays away as the
            // schedule decides. Set populations[0].design to another design, such as everyR\#
            efusal, to see what the
            // same server makes of it.
            {
              "schemaVersion": 1,
              "question": "Does the reference design keep every promise before a server that\#
             refreshes by 'coexist'?",
              "duration": "5m",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "reference",
                  "users": 2,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h", "refresh": "coe\#
            xist" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": { "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1\#
            , "bookPosts": 0, "giftQuestions": 0, "outfits": 0 },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" },
                "faults": [
                  { "kind": "expireAllTokens", "at": "400ms" },
                  { "kind": "serverError", "at": "0s", "for": "150ms", "status": 500, "endpo\#
            ints": ["refresh"] },
                  { "kind": "dropAnswer", "at": "400ms", "for": "600ms", "endpoints": ["refr\#
            esh"] }
                ]
              },
              "explore": {
                "schedules": 1000,
                "drawFaults": true,
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "420ms", "do": "call", "what": "model" },
                  { "user": 0, "at": "430ms", "do": "call", "what": "model" },
                  { "user": 0, "at": "600ms", "do": "step", "what": "leave.logOut" },
                  { "user": 1, "at": "430ms", "do": "call", "what": "model" },
                  { "user": 1, "at": "440ms", "do": "call", "what": "model" },
                  { "user": 1, "at": "100s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/semantics-early409.json`.
    static let semanticsEarly409 = BuiltInProfile(
        name: "semantics-early409",
        text: #"""
            // The reference design before a server whose refreshes are 'early409': two expi\#
            ries, a refresh that fails, one
            // whose answer is lost, and a log-out while calls are under way. Each fault str\#
            ikes or stays away as the
            // schedule decides. Set populations[0].design to another design, such as everyR\#
            efusal, to see what the
            // same server makes of it.
            {
              "schemaVersion": 1,
              "question": "Does the reference design keep every promise before a server that\#
             refreshes by 'early409'?",
              "duration": "5m",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "reference",
                  "users": 2,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h", "refresh": "ear\#
            ly409" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": { "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1\#
            , "bookPosts": 0, "giftQuestions": 0, "outfits": 0 },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" },
                "faults": [
                  { "kind": "expireAllTokens", "at": "400ms" },
                  { "kind": "serverError", "at": "0s", "for": "150ms", "status": 500, "endpo\#
            ints": ["refresh"] },
                  { "kind": "dropAnswer", "at": "400ms", "for": "600ms", "endpoints": ["refr\#
            esh"] }
                ]
              },
              "explore": {
                "schedules": 1000,
                "drawFaults": true,
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "420ms", "do": "call", "what": "model" },
                  { "user": 0, "at": "430ms", "do": "call", "what": "model" },
                  { "user": 0, "at": "600ms", "do": "step", "what": "leave.logOut" },
                  { "user": 1, "at": "430ms", "do": "call", "what": "model" },
                  { "user": 1, "at": "440ms", "do": "call", "what": "model" },
                  { "user": 1, "at": "100s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/semantics-leeway.json`.
    static let semanticsLeeway = BuiltInProfile(
        name: "semantics-leeway",
        text: #"""
            // The reference design before a server whose refreshes are 'rotatingWithLeeway'\#
            : two expiries, a refresh that fails, one
            // whose answer is lost, and a log-out while calls are under way. Each fault str\#
            ikes or stays away as the
            // schedule decides. Set populations[0].design to another design, such as everyR\#
            efusal, to see what the
            // same server makes of it.
            {
              "schemaVersion": 1,
              "question": "Does the reference design keep every promise before a server that\#
             refreshes by 'rotatingWithLeeway'?",
              "duration": "5m",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "reference",
                  "users": 2,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h", "reuseWindow": \#
            "10m",
                  "refresh": "rotatingWithLeeway" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": { "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1\#
            , "bookPosts": 0, "giftQuestions": 0, "outfits": 0 },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" },
                "faults": [
                  { "kind": "expireAllTokens", "at": "400ms" },
                  { "kind": "serverError", "at": "0s", "for": "150ms", "status": 500, "endpo\#
            ints": ["refresh"] },
                  { "kind": "dropAnswer", "at": "400ms", "for": "600ms", "endpoints": ["refr\#
            esh"] }
                ]
              },
              "explore": {
                "schedules": 1000,
                "drawFaults": true,
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "420ms", "do": "call", "what": "model" },
                  { "user": 0, "at": "430ms", "do": "call", "what": "model" },
                  { "user": 0, "at": "600ms", "do": "step", "what": "leave.logOut" },
                  { "user": 1, "at": "430ms", "do": "call", "what": "model" },
                  { "user": 1, "at": "440ms", "do": "call", "what": "model" },
                  { "user": 1, "at": "100s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/semantics-one-shot.json`.
    static let semanticsOneShot = BuiltInProfile(
        name: "semantics-one-shot",
        text: #"""
            // The reference design before a server whose refreshes are 'oneShot': two expir\#
            ies, a refresh that fails, one
            // whose answer is lost, and a log-out while calls are under way. Each fault str\#
            ikes or stays away as the
            // schedule decides. Set populations[0].design to another design, such as everyR\#
            efusal, to see what the
            // same server makes of it.
            {
              "schemaVersion": 1,
              "question": "Does the reference design keep every promise before a server that\#
             refreshes by 'oneShot'?",
              "duration": "5m",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "reference",
                  "users": 2,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h", "refresh": "one\#
            Shot" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": { "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1\#
            , "bookPosts": 0, "giftQuestions": 0, "outfits": 0 },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" },
                "faults": [
                  { "kind": "expireAllTokens", "at": "400ms" },
                  { "kind": "serverError", "at": "0s", "for": "150ms", "status": 500, "endpo\#
            ints": ["refresh"] },
                  { "kind": "dropAnswer", "at": "400ms", "for": "600ms", "endpoints": ["refr\#
            esh"] }
                ]
              },
              "explore": {
                "schedules": 1000,
                "drawFaults": true,
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "420ms", "do": "call", "what": "model" },
                  { "user": 0, "at": "430ms", "do": "call", "what": "model" },
                  { "user": 0, "at": "600ms", "do": "step", "what": "leave.logOut" },
                  { "user": 1, "at": "430ms", "do": "call", "what": "model" },
                  { "user": 1, "at": "440ms", "do": "call", "what": "model" },
                  { "user": 1, "at": "100s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/semantics-replay.json`.
    static let semanticsReplay = BuiltInProfile(
        name: "semantics-replay",
        text: #"""
            // The reference design before a server whose refreshes are 'rotatingWithReplay'\#
            : two expiries, a refresh that fails, one
            // whose answer is lost, and a log-out while calls are under way. Each fault str\#
            ikes or stays away as the
            // schedule decides. Set populations[0].design to another design, such as everyR\#
            efusal, to see what the
            // same server makes of it.
            {
              "schemaVersion": 1,
              "question": "Does the reference design keep every promise before a server that\#
             refreshes by 'rotatingWithReplay'?",
              "duration": "5m",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "reference",
                  "users": 2,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h", "reuseWindow": \#
            "10m",
                  "refresh": "rotatingWithReplay" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": { "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1\#
            , "bookPosts": 0, "giftQuestions": 0, "outfits": 0 },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" },
                "faults": [
                  { "kind": "expireAllTokens", "at": "400ms" },
                  { "kind": "serverError", "at": "0s", "for": "150ms", "status": 500, "endpo\#
            ints": ["refresh"] },
                  { "kind": "dropAnswer", "at": "400ms", "for": "600ms", "endpoints": ["refr\#
            esh"] }
                ]
              },
              "explore": {
                "schedules": 1000,
                "drawFaults": true,
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "420ms", "do": "call", "what": "model" },
                  { "user": 0, "at": "430ms", "do": "call", "what": "model" },
                  { "user": 0, "at": "600ms", "do": "step", "what": "leave.logOut" },
                  { "user": 1, "at": "430ms", "do": "call", "what": "model" },
                  { "user": 1, "at": "440ms", "do": "call", "what": "model" },
                  { "user": 1, "at": "100s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)
}
