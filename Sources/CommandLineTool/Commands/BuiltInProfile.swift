/// A profile that is part of the program, so that it can be named in any folder.
///
/// The package manager embeds the files of `Profiles`; a test compares the lists with the folder.
struct BuiltInProfile: Sendable {
    /// Its name for `squall run`.
    let name: String
    /// The whole file.
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    static func named(_ name: String) -> BuiltInProfile? {
        (all + races).first { $0.name == name }
    }

    /// The files of `Profiles`, in the order of their names.
    static let all = [
        BuiltInProfile("evening-rush", PackageResources.evening_rush_json),
        BuiltInProfile("expiry-planner", PackageResources.expiry_planner_json),
        BuiltInProfile("feed-scroll", PackageResources.feed_scroll_json),
        BuiltInProfile("feed-scroll-short", PackageResources.feed_scroll_short_json),
        BuiltInProfile("flaky-refresh", PackageResources.flaky_refresh_json),
        BuiltInProfile("idle-race", PackageResources.idle_race_json),
        BuiltInProfile("launch-cold", PackageResources.launch_cold_json),
        BuiltInProfile("launch-day", PackageResources.launch_day_json),
        BuiltInProfile("metastability-map", PackageResources.metastability_map_json),
        BuiltInProfile("million", PackageResources.million_json),
        BuiltInProfile("overload-retry", PackageResources.overload_retry_json),
        BuiltInProfile("overload-retry-budgeted", PackageResources.overload_retry_budgeted_json),
        BuiltInProfile("payment-day", PackageResources.payment_day_json),
        BuiltInProfile("quick", PackageResources.quick_json),
        BuiltInProfile("quick-books", PackageResources.quick_books_json),
        BuiltInProfile("quick-outfits", PackageResources.quick_outfits_json),
        BuiltInProfile("quick-presents", PackageResources.quick_presents_json),
        BuiltInProfile("restart-herd", PackageResources.restart_herd_json),
        BuiltInProfile("short-tokens", PackageResources.short_tokens_json),
        BuiltInProfile("storm-http2", PackageResources.storm_http2_json),
        BuiltInProfile("token-expiry-storm", PackageResources.token_expiry_storm_json),
    ]

    /// The files of `Profiles/races`, scenarios of races, sorted by name.
    static let races = [
        BuiltInProfile("book-likes", PackageResources.book_likes_json),
        BuiltInProfile("book-log-out", PackageResources.book_log_out_json),
        BuiltInProfile("book-pages", PackageResources.book_pages_json),
        BuiltInProfile("book-wipe", PackageResources.book_wipe_json),
        BuiltInProfile("book-withdraw", PackageResources.book_withdraw_json),
        BuiltInProfile("book-zombie", PackageResources.book_zombie_json),
        BuiltInProfile("gift-buy", PackageResources.gift_buy_json),
        BuiltInProfile("gift-comments", PackageResources.gift_comments_json),
        BuiltInProfile("gift-log-out", PackageResources.gift_log_out_json),
        BuiltInProfile("gift-loop", PackageResources.gift_loop_json),
        BuiltInProfile("gift-pages", PackageResources.gift_pages_json),
        BuiltInProfile("gift-storm", PackageResources.gift_storm_json),
        BuiltInProfile("gift-withdraw", PackageResources.gift_withdraw_json),
        BuiltInProfile("outfit-gap", PackageResources.outfit_gap_json),
        BuiltInProfile("outfit-late", PackageResources.outfit_late_json),
        BuiltInProfile("outfit-storm", PackageResources.outfit_storm_json),
        BuiltInProfile("scrolly-hang", PackageResources.scrolly_hang_json),
        BuiltInProfile("scrolly-mark", PackageResources.scrolly_mark_json),
        BuiltInProfile("scrolly-reload", PackageResources.scrolly_reload_json),
        BuiltInProfile("scrolly-storm", PackageResources.scrolly_storm_json),
        BuiltInProfile("semantics-coexist", PackageResources.semantics_coexist_json),
        BuiltInProfile("semantics-early409", PackageResources.semantics_early409_json),
        BuiltInProfile("semantics-leeway", PackageResources.semantics_leeway_json),
        BuiltInProfile("semantics-one-shot", PackageResources.semantics_one_shot_json),
        BuiltInProfile("semantics-replay", PackageResources.semantics_replay_json),
        BuiltInProfile("semantics-strict", PackageResources.semantics_strict_json),
    ]
}
