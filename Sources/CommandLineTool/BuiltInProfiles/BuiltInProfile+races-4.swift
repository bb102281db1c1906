extension BuiltInProfile {
    /// `Profiles/races/r5.json`.
    static let r5 = BuiltInProfile(
        name: "r5",
        text: #"""
            // R5: the app is killed between the server's rotation and the moment at which t\#
            he client has stored what
            // came of it (Auth0.swift #490, #763). This client uses new tokens at once and \#
            writes them two seconds later;
            // the server forgives a lost answer for one second.
            {
              "schemaVersion": 1,
              "question": "Does the session survive when the app is killed?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "storesLate",
                  "users": 1,
                  "journeys": { "visit": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h", "refresh": "rot\#
            atingWithLeeway", "reuseWindow": "1s" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": {
                  "novels": 1, "episodesPerNovelMin": 1, "episodesPerNovelMax": 1,
                  "bookPosts": 0, "giftQuestions": 0, "outfits": 0
                },
                "catalogue": { "items": 1 },
                "server": { "serviceTime": "5ms" },
                "faults": [
                  { "kind": "expireAllTokens", "at": "3s" }
                ]
              },
              "explore": {
                "invariants": ["L6"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "at": "1500ms", "do": "kill" },
                  { "user": 0, "at": "5s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r6.json`.
    static let r6 = BuiltInProfile(
        name: "r6",
        text: #"""
            // R6: the app and its extension have an interceptor each, over one store, and n\#
            either knows that the other
            // is refreshing (Auth0.swift #980, #1048; axios-auth-refresh #210).
            {
              "schemaVersion": 1,
              "question": "Do two managers over one store show a refresh token twice?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "twoManagers",
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
                  { "user": 0, "at": "0s", "do": "call", "what": "account" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r7.json`.
    static let r7 = BuiltInProfile(
        name: "r7",
        text: #"""
            // R7: of two refreshes at once the older one's answer comes last and is stored \#
            over the newer one's
            // (react-native-firebase #8388).
            {
              "schemaVersion": 1,
              "question": "Is an older token ever stored over a newer one?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "staleWrite",
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
                "invariants": ["S5"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r8.json`.
    static let r8 = BuiltInProfile(
        name: "r8",
        text: #"""
            // R8: the refresh passes through the interceptor that waits for it: refused its\#
            elf, it waits for its own
            // end (Alamofire #3509, AppAuth-Android #338).
            {
              "schemaVersion": 1,
              "question": "Can a refresh wait for itself?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "ownInterceptor",
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
                    "status": 419,
                    "endpoints": ["refresh"]
                  }
                ]
              },
              "explore": {
                "invariants": ["L2"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r9.json`.
    static let r9 = BuiltInProfile(
        name: "r9",
        text: #"""
            // R9: whoever waits for a refresh is forgotten when it fails (axios-auth-refres\#
            h #14, #56, #90, #139).
            {
              "schemaVersion": 1,
              "question": "Does everybody who waits for a refresh hear of its failure?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "forgetsWaiters",
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
                    "status": 503,
                    "endpoints": ["refresh"]
                  }
                ]
              },
              "explore": {
                "invariants": ["S13", "L2"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/scrolly-hang.json`.
    static let scrollyHang = BuiltInProfile(
        name: "scrolly-hang",
        text: #"""
            // Scrolly gives up after two retries and forgets to say so: a token that is ref\#
            used for ever leaves the
            // screen waiting (hang after the limit).
            {
              "schemaVersion": 1,
              "question": "Does Scrolly's request end when every token is refused?",
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
                "server": { "serviceTime": "5ms" },
                "faults": [
                  {
                    "kind": "serverError",
                    "at": "0s",
                    "status": 419,
                    "endpoints": ["posts"]
                  }
                ]
              },
              "explore": {
                "schedules": 100,
                "invariants": ["S13", "L1", "L2"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/scrolly-mark.json`.
    static let scrollyMark = BuiltInProfile(
        name: "scrolly-mark",
        text: #"""
            // Scrolly SC-R1: the list of what was viewed is asked for beside the mark and b\#
            ehind it; when the older
            // list comes last, the mark is gone. It takes an answer that is later than a ro\#
            und trip: see the window.
            {
              "schemaVersion": 1,
              "question": "Does an episode stay marked as viewed?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "scrolly",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "read": 1 }
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
                "schedules": 400,
                "window": "250ms",
                "invariants": ["S19"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "step", "what": "read.main" },
                  { "user": 0, "at": "1s", "do": "step", "what": "read.novel" },
                  { "user": 0, "at": "2s", "do": "step", "what": "read.episode" }
                ]
              }
            }

            """#)

    /// `Profiles/races/scrolly-reload.json`.
    static let scrollyReload = BuiltInProfile(
        name: "scrolly-reload",
        text: #"""
            // Scrolly SC-R3: of two reloads of the main screen the one stays that is answer\#
            ed last, older or not.
            {
              "schemaVersion": 1,
              "question": "Does the newer of two reloads stay?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "scrolly",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "read": 1 }
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
                "schedules": 400,
                "invariants": ["S19"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "step", "what": "read.main" },
                  { "user": 0, "at": "1s", "do": "step", "what": "resume.main" },
                  { "user": 0, "at": "1010ms", "do": "step", "what": "resume.main" }
                ]
              }
            }

            """#)
}
