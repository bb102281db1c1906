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
    /// The fault in a sentence, as results explain it.
    public let meaning: String
    /// The fix of what a snapshot finds, in a sentence.
    public let fix: String?

    init(_ name: String, one: String, many: String, meaning: String, fix: String? = nil) {
        (self.name, self.one, self.many) = (name, one, many)
        (self.meaning, self.fix) = (meaning, fix)
    }

    /// Every kind there is.
    public static let all: [ScreenFault] = [
        .chargedTwice, .lost, .wrong, .stuck, .crashed, .missing, .stale, .orphanedSession,
        .picture,
    ]
}

extension ScreenFault {
    static let chargedTwice = ScreenFault(
        "chargedTwice", one: "charge for something already paid",
        many: "charges for something already paid",
        meaning: "A step charged the user for something that was already paid, as its end shows;"
            + " purchase.twice counts payments in the server's ledger.")
    static let lost = ScreenFault(
        "lost", one: "action shown as done that did not happen",
        many: "actions shown as done that did not happen",
        meaning: "The app shows an action as done, but the server never received it.")
    static let wrong = ScreenFault(
        "wrong", one: "screen showed inconsistent data",
        many: "screens showed inconsistent data",
        meaning: "The screen shows another row or user than the one tapped, or an item twice.")
    /// A screen that never changes again.
    public static let stuck = ScreenFault(
        "stuck", one: "screen stuck for ever", many: "screens stuck for ever",
        meaning: "The screen never changes again although no request is in flight.")
    static let crashed = ScreenFault(
        "crashed", one: "app crashed", many: "apps crashed",
        meaning: "The app crashed; the name says where.")
    static let missing = ScreenFault(
        "missing", one: "screen with missing content and no error",
        many: "screens with missing content and no error",
        meaning: "Part of the screen stays empty without an error message.")
    static let stale = ScreenFault(
        "stale", one: "screen showed stale data",
        many: "screens showed stale data",
        meaning: "The screen shows old data; the name says which.")
    /// Calls carry a token that no code can renew.
    public static let orphanedSession = ScreenFault(
        "session.orphaned", one: "session that its app can no longer renew",
        many: "sessions that their apps can no longer renew",
        meaning: "Calls carry a token that the app cannot refresh, or that belongs to no known"
            + " user.",
        fix: """
            Store, replace and delete both tokens in one step, and discard the response of a \
            refresh that ends after a sign-out.
            """)
    static let picture = ScreenFault(
        "picture.notRefreshed", one: "picture not loaded", many: "pictures not loaded",
        meaning: "A picture did not come because the token had expired.",
        fix: "Load pictures through the same refresh and retry as every other call.")
}
