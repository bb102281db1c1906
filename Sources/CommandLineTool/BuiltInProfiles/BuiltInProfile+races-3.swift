extension BuiltInProfile {
    /// `Profiles/races/r10.json`.
    static let r10 = BuiltInProfile(
        name: "r10",
        text: #"""
            // R10: the flag that a refresh is under way is asked the wrong way round: whoev\#
            er is refused meanwhile
            // fails (axios-auth-refresh #307).
            {
              "schemaVersion": 1,
              "question": "Do all who wait for a refresh share what comes of it?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "secondWaiterFails",
                  "users": 1,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": {
                  "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1,
                  "bookPosts": 0, "giftQuestions": 0, "outfits": 0
                },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" }
              },
              "explore": {
                "invariants": ["L5"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r11.json`.
    static let r11 = BuiltInProfile(
        name: "r11",
        text: #"""
            // R11: nothing counts how often a call was sent again, so a token that is refus\#
            ed for ever is refreshed
            // for ever (Senthil455/Atlas #97, Alamofire #3290).
            {
              "schemaVersion": 1,
              "question": "Does a call end that is refused with every token?",
              "duration": "5s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "endless",
                  "users": 1,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": {
                  "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1,
                  "bookPosts": 0, "giftQuestions": 0, "outfits": 0
                },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" },
                "faults": [{ "kind": "serverError", "at": "0s", "status": 419, "endpoints": \#
            ["profile"] }]
              },
              "explore": {
                "invariants": ["S9", "L3"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r12.json`.
    static let r12 = BuiltInProfile(
        name: "r12",
        text: #"""
            // R12: after a refresh that failed, calls go out again without a token, and the\#
             server answers as to a
            // stranger (supabase-js #2696).
            {
              "schemaVersion": 1,
              "question": "Is a call ever sent again without a token?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "anonymous",
                  "users": 1,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": {
                  "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1,
                  "bookPosts": 0, "giftQuestions": 0, "outfits": 0
                },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" },
                "faults": [
                  {
                    "kind": "serverError",
                    "at": "0s",
                    "for": "400ms",
                    "status": 500,
                    "endpoints": ["refresh"]
                  }
                ]
              },
              "explore": {
                "invariants": ["S18"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r13.json`.
    static let r13 = BuiltInProfile(
        name: "r13",
        text: #"""
            // R13: tokens are renewed by a timer, and one failure ends it: all is well unti\#
            l the token expires
            // (supabase-swift #630).
            {
              "schemaVersion": 1,
              "question": "Is the next refresh always scheduled?",
              "duration": "15s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "timerDies",
                  "users": 1,
                  "journeys": { "visit": 1 }
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "5s", "refreshLifetime": "6h" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": {
                  "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1,
                  "bookPosts": 0, "giftQuestions": 0, "outfits": 0
                },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" },
                "faults": [
                  {
                    "kind": "serverError",
                    "at": "0s",
                    "for": "4s",
                    "status": 500,
                    "endpoints": ["refresh"]
                  }
                ]
              },
              "explore": {
                "invariants": ["L7"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "8s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r14.json`.
    static let r14 = BuiltInProfile(
        name: "r14",
        text: #"""
            // R14: everybody's timer fires at the same moment after a common start, and the\#
             fleet refreshes within a
            // second (firebase-ios-sdk #15474, keycloak-benchmark #416). No order is needed\#
            , and no order helps.
            {
              "schemaVersion": 1,
              "question": "Do the users of a fleet refresh at the same moment?",
              "duration": "5s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "noJitter",
                  "users": 8,
                  "journeys": { "visit": 1 }
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": {
                  "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1,
                  "bookPosts": 0, "giftQuestions": 0, "outfits": 0
                },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" }
              },
              "explore": {
                "schedules": 200,
                "invariants": ["S20"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 1, "at": "0s", "do": "call", "what": "model" },
                  { "user": 2, "at": "0s", "do": "call", "what": "model" },
                  { "user": 3, "at": "0s", "do": "call", "what": "model" },
                  { "user": 4, "at": "0s", "do": "call", "what": "model" },
                  { "user": 5, "at": "0s", "do": "call", "what": "model" },
                  { "user": 6, "at": "0s", "do": "call", "what": "model" },
                  { "user": 7, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r2.json`.
    static let r2 = BuiltInProfile(
        name: "r2",
        text: #"""
            // R2: a call that went out with the old token is refused after the refresh has \#
            ended, and is taken for
            // a new expiry (OkHttp pattern in edx-app-android #834).
            {
              "schemaVersion": 1,
              "question": "Does a late refusal refresh a token that is fresh?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "lateRefusal",
                  "users": 1,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": {
                  "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1,
                  "bookPosts": 0, "giftQuestions": 0, "outfits": 0
                },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" }
              },
              "explore": {
                "invariants": ["S4", "S1"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r3.json`.
    static let r3 = BuiltInProfile(
        name: "r3",
        text: #"""
            // R3: a refresh token that is good once is shown twice, and the server ends the\#
             whole family, as RFC 9700
            // wants it: everybody is signed out who met an expiry with two calls (supabase \#
            auth-js #213, nightscout #326).
            {
              "schemaVersion": 1,
              "question": "Is a rotated refresh token ever shown twice?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "everyRefusal",
                  "users": 1,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h", "refresh": "rot\#
            atingStrict" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": {
                  "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1,
                  "bookPosts": 0, "giftQuestions": 0, "outfits": 0
                },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" }
              },
              "explore": {
                "invariants": ["S8"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r4.json`.
    static let r4 = BuiltInProfile(
        name: "r4",
        text: #"""
            // R4: of two that refresh, the loser's refusal forgets what the winner has just\#
             stored (tuist #10276,
            // peakflo/20x #203). The server takes a refresh token once and says 418 to the \#
            second.
            {
              "schemaVersion": 1,
              "question": "Does a refresh that fails forget the tokens of one that succeeded\#
            ?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "failureWipes",
                  "users": 1,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h", "refresh": "one\#
            Shot" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": {
                  "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1,
                  "bookPosts": 0, "giftQuestions": 0, "outfits": 0
                },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" }
              },
              "explore": {
                "invariants": ["S7"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)
}
