public import SquallApps
public import SquallBackend
import SquallServices

extension AuditKind {
    /// Every kind that the services and apps at hand can find; outcomes of steps have more in their
    /// names, after a dot.
    public static let installed: [AuditKind] =
        ServiceKind.all.flatMap(\.audits) + ScreenFault.all.map { AuditKind($0) }

    /// The kind of a fault on a screen, as audits name it.
    public init(_ fault: ScreenFault) {
        self.init(fault.name, one: fault.one, many: fault.many, meaning: fault.meaning)
    }

    /// The words for a count of a kind in a sentence; the kind itself when it has no explanation.
    static func words(of kind: String, count: Int64) -> String {
        let known = installed.first { kind == $0.name || kind.hasPrefix($0.name + ".") }
        guard let known else { return kind }
        return count == 1 ? known.one : known.many
    }
}
