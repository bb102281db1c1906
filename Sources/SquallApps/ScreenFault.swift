/// Something wrong on a screen without an error message, in the words of results.
///
/// It is either a kind of ``StepOutcome``, whose label begins with its name, or what an
/// ``AppSnapshot`` finds.
public struct ScreenFault: Hashable, Sendable {
    /// Its name, with which its label begins: `stale`.
    public let name: String
    /// One of them, as a sentence counts it.
    public let one: String
    /// Several of them.
    public let many: String
    /// What is wrong, in a sentence.
    public let meaning: String

    init(_ name: String, one: String, many: String, meaning: String) {
        self.name = name
        self.one = one
        self.many = many
        self.meaning = meaning
    }

    /// Every kind there is.
    public static let all: [ScreenFault] = [
        .chargedTwice, .lost, .wrong, .stuck, .crashed, .missing, .stale, .orphanedSession,
        .picture,
    ]
}

extension ScreenFault {
    static let chargedTwice = ScreenFault(
        "chargedTwice", one: "payment taken for what had been paid for",
        many: "payments taken for what had been paid for",
        meaning: "A step took money for something that had been paid for.")
    static let lost = ScreenFault(
        "lost", one: "deed that the app only seemed to do",
        many: "deeds that the app only seemed to do",
        meaning: "The app behaves as if it had done something that never happened.")
    static let wrong = ScreenFault(
        "wrong", one: "screen showed inconsistent data",
        many: "screens showed inconsistent data",
        meaning: "Another row or user than the one touched is shown, or an item twice.")
    static let stuck = ScreenFault(
        "stuck", one: "screen that stays as it is for ever",
        many: "screens that stay as they are for ever",
        meaning: "The screen never changes again although no request is open.")
    static let crashed = ScreenFault(
        "crashed", one: "app that ended itself", many: "apps that ended themselves",
        meaning: "The app ended itself; the name says where.")
    static let missing = ScreenFault(
        "missing", one: "place that stays empty without a word",
        many: "places that stay empty without a word",
        meaning: "The place of something stays empty, and nothing says why.")
    static let stale = ScreenFault(
        "stale", one: "screen showed stale data",
        many: "screens showed stale data",
        meaning: "What is shown was true once; the name says what has changed since.")
    static let orphanedSession = ScreenFault(
        "session.orphaned", one: "session that its app can no longer renew",
        many: "sessions that their apps can no longer renew",
        meaning: "Calls carry a token of which the app knows no owner, or no way to renew it.")
    static let picture = ScreenFault(
        "picture.notRefreshed", one: "picture whose place stayed empty",
        many: "pictures whose places stayed empty",
        meaning: "A picture did not come because the token had expired.")
}
