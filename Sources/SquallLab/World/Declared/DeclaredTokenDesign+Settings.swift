import SquallApps
import SquallFormat

extension DeclaredTokenDesign {
    /// A design as profiles write it.
    init(_ read: inout SettingsReader) {
        self.init()
        notices = Set(
            read(
                "notices", .list(of: .choice(Notice.self), 0...4), otherwise: ["status"],
                "What notices that the access token has expired; nothing when empty."))
        aheadNanoseconds = read(
            "ahead", .duration(0...Span.day), otherwise: "30s",
            "With the clock: how long before its end a token counts as expired.")
        isSingleFlight = read(
            "singleFlight", .flag, otherwise: .bool(true),
            "Whether a call refused during a refresh waits for it; else each call refreshes.")
        refreshesLate = read(
            "refreshesLate", .flag, otherwise: .bool(false),
            "Whether a refusal of a token that was replaced meanwhile refreshes once more.")
        resends = Self.resends(&read)
        resendDelayNanoseconds = read(
            "resendDelay", .duration(0...Span.hour), otherwise: "0s",
            "How long a call waits before it is sent again.")
        refreshAttempts = read(
            "refreshAttempts", .integer(1...100), otherwise: 1,
            "How often a refresh is tried before it counts as failed.")
        refreshDelayNanoseconds = read(
            "refreshDelay", .duration(0...Span.hour), otherwise: "0s",
            "How long it waits between two tries.")
        readFaults(&read)
        readClock(&read)
        readRefresh(&read)
    }

    private mutating func readFaults(_ read: inout SettingsReader) {
        refreshNotices = read(
            "refreshNotices", .flag, otherwise: .bool(false),
            "Whether a refresh that is rejected as expired starts another refresh.")
        asksTwice = read(
            "asksTwice", .flag, otherwise: .bool(false),
            "Whether a call after a failed refresh is sent again if its body does not decode.")
        failedRefresh = read(
            "failedRefresh", .choice(FailedRefresh.self), otherwise: "signOutWhenDead",
            "What a failed refresh does: signs out always, only with a dead token, or never.")
        forgets = Set(
            read(
                "forgets", .list(of: .choice(Forgotten.self), 0...5), otherwise: [],
                "In which cases the waiting calls never complete."))
    }

    private mutating func readClock(_ read: inout SettingsReader) {
        aheadJitterNanoseconds = read(
            "aheadJitter", .duration(0...Span.day), otherwise: "0s",
            "With the clock: up to how much shorter 'ahead' is, drawn for each token.")
        dropsRefused = read(
            "dropsRefused", .flag, otherwise: .bool(false),
            "With the clock: whether a refusal drops the token and sends the call again, before"
                + " which the clock refreshes.")
        resendJitterNanoseconds = read(
            "resendJitter", .duration(0...Span.hour), otherwise: "0s",
            "Up to how much longer than 'resendDelay' a call waits, drawn for each time.")
        aheadNanoseconds -= read(
            "late", .duration(0...Span.day), otherwise: "0s",
            "With the clock: how long after its end a token still counts as good.")
        advisoryNanoseconds = read(
            "advisory", .duration(0...Span.day), otherwise: "0s",
            "With the clock: from how long before the end one call refreshes while others go on.")
        missingLifetime = read(
            "missingLifetime", .choice(MissingLifetime.self), otherwise: "noEnd",
            "With the clock: what a new token counts as if its response states no life.")
    }

    private mutating func readRefresh(_ read: inout SettingsReader) {
        renewal = read(
            "renewal", .choice(Renewal.self), otherwise: "refreshToken",
            "What buys a new access token; signIn is password or client credentials again.")
        refreshRetries = read(
            "refreshRetries", .list(of: .section { RefreshRetry(&$0) }, 0...20), otherwise: [],
            "How a refresh is tried again by kind of failure; others as refreshAttempts says.")
        heedsRetryAfter = read(
            "heedsRetryAfter", .flag, otherwise: .bool(true),
            "Whether no refresh is sent before the Retry-After of a 429 or 503 (single flight).")
        probes = read(
            "refreshProbes", .flag, otherwise: .bool(false),
            "Whether a failed refresh is sent twice until one has succeeded.")
        waitersAfterSuccess = read(
            "waitersAfterSuccess", .choice(Waiting.self), otherwise: "lookAgain",
            "What a call does that waited for a refresh which succeeded.")
        waitersAfterFailure = read(
            "waitersAfterFailure", .choice(Waiting.self), otherwise: "takeResult",
            "What a call does that waited for a refresh which failed.")
    }

    private static func resends(_ read: inout SettingsReader) -> Int? {
        let isEndless = read(
            "resendsWithoutLimit", .flag, otherwise: .bool(false),
            "Whether nothing counts how often a call is sent again; replaces 'resends'.")
        let times = read(
            "resends", .integer(0...100), otherwise: 1,
            "How often a call is sent again with a new token at the most.")
        return isEndless ? nil : times
    }

    /// The design to compare an app with: a profile's defaults, for every call.
    static var reference: DeclaredTokenDesign {
        var design = SettingFormat.section { DeclaredTokenDesign(&$0) }.placeholder()
        design.coversEveryCall = true
        return design
    }
}

extension RefreshRetry {
    fileprivate init(_ read: inout SettingsReader) {
        self.init(
            read(
                "on", .list(of: .failure, 1...20),
                "The failures: a status, 4xx, 5xx, lost, or unreadable for a 200 without a token."
            ).compactMap(Failure.init),
            attempts: read(
                "attempts", .integer(1...100),
                "How often it is sent at the most, the first time"
                    + " included."),
            waits: read(
                "waits", .list(of: .duration(0...Span.hour), 0...20), otherwise: [],
                "How long it waits before the second try, the third and so on."),
            hold: read(
                "hold", .duration(0...Span.day), otherwise: "0s",
                "How long no other is sent after the last try: calls fail that need one."))
    }
}

extension SettingFormat<String> {
    fileprivate static var failure: SettingFormat {
        SettingFormat.text(3...10).refusing { text, path in
            RefreshRetry.Failure(text) == nil
                ? "\(path) must be a status of 400…599, 4xx, 5xx, lost or unreadable,"
                    + " got \"\(text)\"" : nil
        }
    }
}
