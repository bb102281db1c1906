extension BuiltInProfile {
    /// `Profiles/races/gift-comments.json`.
    static let giftComments = BuiltInProfile(
        name: "gift-comments",
        text: #"""
            // Share.D SD-6: the row of a deleted comment is kept in one place for all: two \#
            deletions at once remove
            // one row twice, or one that is not there, and the app ends.
            {
              "schemaVersion": 1,
              "question": "Does every deletion remove its own row?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "shareD",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "comment": 1 }
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
                  { "user": 0, "at": "0s", "do": "step", "what": "comment.home" },
                  { "user": 0, "at": "500ms", "do": "step", "what": "comment.community" },
                  { "user": 0, "at": "1s", "do": "step", "what": "comment.post" },
                  { "user": 0, "at": "1500ms", "do": "step", "what": "comment.comment" },
                  { "user": 0, "at": "1700ms", "do": "step", "what": "comment.comment" },
                  { "user": 0, "at": "2s", "do": "step", "what": "comment.deleteComment" },
                  { "user": 0, "at": "2010ms", "do": "step", "what": "comment.deleteComment"\#
             }
                ]
              }
            }

            """#)

    /// `Profiles/races/gift-log-out.json`.
    static let giftLogOut = BuiltInProfile(
        name: "gift-log-out",
        text: #"""
            // Share.D: a log-out while a call is refreshing: the access token is stored alo\#
            ne, and the next start
            // calls with it.
            {
              "schemaVersion": 1,
              "question": "Is nothing stored after a log-out?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "shareD",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "logOut": 1 },
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
                "schedules": 400,
                "invariants": ["S6"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "step", "what": "settings.ownPosts" },
                  { "user": 0, "at": "130ms", "do": "step", "what": "logOut.logOut" }
                ]
              }
            }

            """#)

    /// `Profiles/races/gift-pages.json`.
    static let giftPages = BuiltInProfile(
        name: "gift-pages",
        text: #"""
            // Share.D SD-8: load-more has no guard against a page that is on its way, so th\#
            e same page is appended twice.
            {
              "schemaVersion": 1,
              "question": "Does scrolling fast show a page twice?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "shareD",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "scroll": 1 }
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
                "invariants": ["S14"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "step", "what": "scroll.community" },
                  { "user": 0, "at": "300ms", "do": "step", "what": "scroll.scroll" },
                  { "user": 0, "at": "310ms", "do": "step", "what": "scroll.scroll" }
                ]
              }
            }

            """#)

    /// `Profiles/races/gift-storm.json`.
    static let giftStorm = BuiltInProfile(
        name: "gift-storm",
        text: #"""
            // Share.D SD-2: the refresh token is dead. Every call refreshes twice, in vain,\#
             and nobody is signed out.
            {
              "schemaVersion": 1,
              "question": "Does a dead session end?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "shareD",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "community": 1 },
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
                  { "kind": "revokeRefreshTokens", "at": "0s" }
                ]
              },
              "explore": {
                "schedules": 100,
                "invariants": ["L4"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "2s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/gift-withdraw.json`.
    static let giftWithdraw = BuiltInProfile(
        name: "gift-withdraw",
        text: #"""
            // Share.D SD-5: the withdrawal is asked for and the storage wiped on the next l\#
            ine; the request is built two
            // queues further on, so it may carry an empty token. The account stays, and the\#
             screen says that all is done.
            {
              "schemaVersion": 1,
              "question": "Does a withdrawal reach the server with a token?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "shareD",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "withdraw": 1 }
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
                  { "user": 0, "at": "0s", "do": "step", "what": "withdraw.withdraw" }
                ]
              }
            }

            """#)

    /// `Profiles/races/outfit-gap.json`.
    static let outfitGap = BuiltInProfile(
        name: "outfit-gap",
        text: #"""
            // OOTD OO-4: a Keychain item is removed and added anew. A call that begins in b\#
            etween finds no token, and its
            // adapter returns without a word: the call never ends.
            {
              "schemaVersion": 1,
              "question": "Is there a moment in which a call that begins never ends?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "ootd",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "resume": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "generation": "2023",
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": { "novels": 2, "episodesPerNovelMin": 4, "episodesPerNovelMax": 4\#
            , "bookPosts": 24, "giftQuestions": 24, "outfits": 24 },
                "catalogue": { "items": 20 },
                "server": { "serviceTime": "5ms" }
              },
              "explore": {
                "schedules": 600,
                "invariants": ["S13", "L2"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "150ms", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/outfit-late.json`.
    static let outfitLate = BuiltInProfile(
        name: "outfit-late",
        text: #"""
            // OOTD OO-2: a refusal that comes late has a token refreshed that the server of\#
             2023 still accepts: it says
            // 409, and a call fails that only had to be sent again.
            {
              "schemaVersion": 1,
              "question": "Does a late refusal fail a call that was fine?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "ootd",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "resume": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "generation": "2023",
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h", "refresh": "ear\#
            ly409" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": { "novels": 2, "episodesPerNovelMin": 4, "episodesPerNovelMax": 4\#
            , "bookPosts": 24, "giftQuestions": 24, "outfits": 24 },
                "catalogue": { "items": 20 },
                "server": { "serviceTime": "5ms" }
              },
              "explore": {
                "schedules": 600,
                "invariants": ["S15", "S4"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/outfit-storm.json`.
    static let outfitStorm = BuiltInProfile(
        name: "outfit-storm",
        text: #"""
            // OOTD OO-1, OO-2: two calls on an expired token refresh twice; before the serv\#
            er of 2023 the later one
            // is refused.
            {
              "schemaVersion": 1,
              "question": "Does one expiry take one refresh?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "ootd",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "resume": 1 },
                  "initialTokens": "expired"
                }
              ],
              "backend": {
                "generation": "2023",
                "tokens": { "accessLifetime": "1h", "refreshLifetime": "6h" },
                "network": { "up": "40ms", "down": "40ms" },
                "content": { "novels": 2, "episodesPerNovelMin": 4, "episodesPerNovelMax": 4\#
            , "bookPosts": 24, "giftQuestions": 24, "outfits": 24 },
                "catalogue": { "items": 20 },
                "server": { "serviceTime": "5ms" }
              },
              "explore": {
                "schedules": 400,
                "invariants": ["S1", "S4"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "step", "what": "resume.feed" },
                  { "user": 0, "at": "0s", "do": "step", "what": "resume.feed" }
                ]
              }
            }

            """#)

    /// `Profiles/races/r1.json`.
    static let r1 = BuiltInProfile(
        name: "r1",
        text: #"""
            // R1: several refusals at once, and each refreshes on its own (Alamofire #3297,\#
             Auth0.swift #429).
            //
            // No rare order is needed: first in, first out shows it as well.
            {
              "schemaVersion": 1,
              "question": "Does one expiry take one refresh, however many calls meet it?",
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
                "invariants": ["S1"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" },
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)
}
