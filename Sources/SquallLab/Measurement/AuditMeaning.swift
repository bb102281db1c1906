import SquallApps
import SquallBackend
import SquallServices

/// The meaning of a kind of audit finding, of a service's audit or of an app itself.
public struct AuditMeaning: Hashable, Sendable {
    /// Its name; outcomes of steps have more after a dot.
    public let name: String
    /// What is wrong, in a sentence.
    public let meaning: String
    /// One of them, and several, as a sentence counts them.
    let one, many: String

    /// Every kind that the services and apps at hand can find.
    public static let installed: [AuditMeaning] =
        ServiceKind.all.flatMap(\.audits).map {
            AuditMeaning(name: $0.name, meaning: $0.meaning, one: $0.one, many: $0.many)
        }
        + ScreenFault.all.map {
            AuditMeaning(name: $0.name, meaning: $0.meaning, one: $0.one, many: $0.many)
        }

    /// The words for a count of a kind in a sentence; the kind itself when it has no explanation.
    static func words(of kind: String, count: Int64) -> String {
        let known = installed.first { kind == $0.name || kind.hasPrefix($0.name + ".") }
        guard let known else { return kind }
        return count == 1 ? known.one : known.many
    }
}
