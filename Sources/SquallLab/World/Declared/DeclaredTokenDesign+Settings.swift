import SquallApps
import SquallFormat

extension DeclaredTokenDesign {
    /// A design as profiles write it.
    init(_ read: inout SettingsReader) {
        self.init(
            notices: Set(
                read(
                    "notices", .list(of: .choice(Notice.self), 0...4), otherwise: ["status"],
                    "What notices that the access token has expired; nothing when empty.")),
            aheadNanoseconds: read(
                "ahead", .duration(0...Span.day), otherwise: "30s",
                "With the clock: how long before its end a token counts as expired."),
            isSingleFlight: read(
                "singleFlight", .flag, otherwise: .bool(true),
                "Whether a call refused during a refresh waits for it; else each call refreshes."),
            refreshesLate: read(
                "refreshesLate", .flag, otherwise: .bool(false),
                "Whether a refusal of a token that was replaced meanwhile refreshes once more."),
            resends: Self.resends(&read),
            resendDelayNanoseconds: read(
                "resendDelay", .duration(0...Span.hour), otherwise: "0s",
                "How long a call waits before it is sent again."),
            refreshAttempts: read(
                "refreshAttempts", .integer(1...100), otherwise: 1,
                "How often a refresh is tried before it counts as failed."),
            refreshDelayNanoseconds: read(
                "refreshDelay", .duration(0...Span.hour), otherwise: "0s",
                "How long it waits between two tries."),
            refreshNotices: read(
                "refreshNotices", .flag, otherwise: .bool(false),
                "Whether a refresh that is rejected as expired starts another refresh."),
            asksTwice: read(
                "asksTwice", .flag, otherwise: .bool(false),
                "Whether a call after a failed refresh is sent again if its body does not decode."),
            failedRefresh: read(
                "failedRefresh", .choice(FailedRefresh.self), otherwise: "signOutWhenDead",
                "What a failed refresh does: signs out always, only with a dead token, or never."),
            forgets: Set(
                read(
                    "forgets", .list(of: .choice(Forgotten.self), 0...5), otherwise: [],
                    "In which cases the waiting calls never complete.")), coversEveryCall: false)
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
