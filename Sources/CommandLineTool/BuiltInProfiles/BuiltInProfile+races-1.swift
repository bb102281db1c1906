extension BuiltInProfile {
    /// `Profiles/races/book-likes.json`.
    static let bookLikes = BuiltInProfile(
        name: "book-likes",
        text: #"""
            // 이책저책 TB-11: the row that a like belongs to is read when the answer comes, not\#
             when the heart was
            // tapped: two quick likes turn one row twice and the other never.
            {
              "schemaVersion": 1,
              "question": "Does every like reach its own row?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "thisBookThatBook",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "likeBurst": 1 }
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
                  { "user": 0, "at": "0s", "do": "step", "what": "likeBurst.feed" },
                  { "user": 0, "at": "300ms", "do": "step", "what": "likeBurst.likeBurst" }
                ]
              }
            }

            """#)

    /// `Profiles/races/book-log-out.json`.
    static let bookLogOut = BuiltInProfile(
        name: "book-log-out",
        text: #"""
            // 이책저책: a log-out while the profile's three calls are refreshing: each refresh \#
            that ends afterwards
            // stores its token.
            {
              "schemaVersion": 1,
              "question": "Is nothing stored after a log-out?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "thisBookThatBook",
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
                  { "user": 0, "at": "0s", "do": "step", "what": "profile.profile" },
                  { "user": 0, "at": "130ms", "do": "step", "what": "logOut.logOut" }
                ]
              }
            }

            """#)

    /// `Profiles/races/book-pages.json`.
    static let bookPages = BuiltInProfile(
        name: "book-pages",
        text: #"""
            // 이책저책 TB-13: the feed is reloaded while its second page is on the way: the sta\#
            le page is appended and
            // its cursor overwrites the new one; the same cursor can be asked for twice.
            {
              "schemaVersion": 1,
              "question": "Does a feed that is scrolled and reloaded at once show something \#
            twice?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "thisBookThatBook",
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
                  { "user": 0, "at": "0s", "do": "step", "what": "scroll.feed" },
                  { "user": 0, "at": "300ms", "do": "step", "what": "scroll.scroll" },
                  { "user": 0, "at": "310ms", "do": "step", "what": "scroll.scroll" }
                ]
              }
            }

            """#)

    /// `Profiles/races/book-wipe.json`.
    static let bookWipe = BuiltInProfile(
        name: "book-wipe",
        text: #"""
            // 이책저책 TB-5: one 500 on a refresh wipes a session that was good.
            {
              "schemaVersion": 1,
              "question": "Does one failed refresh sign somebody out?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "thisBookThatBook",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "profile": 1 },
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
                    "for": "2s",
                    "status": 500,
                    "endpoints": ["refresh"]
                  }
                ]
              },
              "explore": {
                "schedules": 100,
                "invariants": ["S7"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "call", "what": "model" }
                ]
              }
            }

            """#)

    /// `Profiles/races/book-withdraw.json`.
    static let bookWithdraw = BuiltInProfile(
        name: "book-withdraw",
        text: #"""
            // 이책저책: the account is closed while the profile's three calls are refreshing; a\#
             refresh that ends
            // afterwards stores its token.
            {
              "schemaVersion": 1,
              "question": "Is nothing stored after a withdrawal?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "thisBookThatBook",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "withdraw": 1 },
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
                "schedules": 600,
                "invariants": ["S6"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "step", "what": "profile.profile" },
                  { "user": 0, "at": "0s", "do": "step", "what": "withdraw.withdraw" }
                ]
              }
            }

            """#)

    /// `Profiles/races/book-zombie.json`.
    static let bookZombie = BuiltInProfile(
        name: "book-zombie",
        text: #"""
            // 이책저책 TB-6: two refreshes, one of them fails and wipes everything, the other s\#
            ucceeds and stores its
            // token beside empty fields: a session without an owner.
            {
              "schemaVersion": 1,
              "question": "Can a failed refresh and a good one leave half a session?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "thisBookThatBook",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "profile": 1 },
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
                    "for": "2s",
                    "status": 500,
                    "endpoints": ["refresh"],
                    "probability": 0.5
                  }
                ]
              },
              "explore": {
                "schedules": 400,
                "invariants": ["S5", "S19"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "step", "what": "profile.profile" }
                ]
              }
            }

            """#)

    /// `Profiles/races/gap.json`.
    static let gap = BuiltInProfile(
        name: "gap",
        text: #"""
            // The flag that a refresh is under way is cleared before the new token can be u\#
            sed: a refusal that comes in
            // between refreshes once more, with the old token.
            {
              "schemaVersion": 1,
              "question": "Is there a moment in which an expiry can be refreshed twice?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "specimen",
                  "design": "gap",
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

    /// `Profiles/races/gift-buy.json`.
    static let giftBuy = BuiltInProfile(
        name: "gift-buy",
        text: #"""
            // Share.D SD-9: nothing keeps a second tap on the button from paying once more.
            {
              "schemaVersion": 1,
              "question": "Is a present paid for once?",
              "duration": "20s",
              "populations": [
                {
                  "name": "phones",
                  "app": "shareD",
                  "design": "asBuilt",
                  "users": 1,
                  "journeys": { "buy": 1 }
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
                "invariants": ["S10"],
                "acts": [
                  { "user": 0, "at": "0s", "do": "step", "what": "buy.home" },
                  { "user": 0, "at": "500ms", "do": "step", "what": "buy.community" },
                  { "user": 0, "at": "1s", "do": "step", "what": "buy.post" },
                  { "user": 0, "at": "1500ms", "do": "step", "what": "buy.pay" },
                  { "user": 0, "at": "1510ms", "do": "step", "what": "buy.pay" }
                ]
              }
            }

            """#)
}
