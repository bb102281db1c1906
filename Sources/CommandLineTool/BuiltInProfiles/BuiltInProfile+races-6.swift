extension BuiltInProfile {
    /// `Profiles/races/semantics-strict.json`.
    static let semanticsStrict = BuiltInProfile(
        name: "semantics-strict",
        text: #"""
            // The reference design before a server whose refreshes are 'rotatingStrict': tw\#
            o expiries, a refresh that fails, one
            // whose answer is lost, and a log-out while calls are under way. Each fault str\#
            ikes or stays away as the
            // schedule decides. Set populations[0].design to another design, such as everyR\#
            efusal, to see what the
            // same server makes of it.
            {
              "schemaVersion": 1,
              "question": "Does the reference design keep every promise before a server that\#
             refreshes by 'rotatingStrict'?",
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
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h", "refresh": "rot\#
            atingStrict" },
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

    /// `Profiles/races/zombie.json`.
    static let zombie = BuiltInProfile(
        name: "zombie",
        text: #"""
            // A log-out while a refresh is on its way: the answer comes afterwards, and its\#
             tokens are stored all the
            // same. Somebody who left is signed in again.
            {
              "schemaVersion": 1,
              "question": "Is anything stored after the log-out?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "zombie",
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
                "invariants": ["S6"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "at": "60ms", "do": "step", "what": "leave.logOut" }
                ]
              }
            }

            """#)
}
