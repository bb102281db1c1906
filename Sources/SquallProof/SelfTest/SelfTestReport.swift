public import SquallFormat

/// The columns of checks against theory.
extension Column {
    static let simulated = Column("simulated", .words, "What is simulated, by its model.")
    static let quantity = Column("quantity", .words, "What theory has a formula for.")
    static let theory = Column("theory", .number, "What the formula says.")
    static let measured = Column("measured", .number, "What the simulation came to.")
    static let countedIn = Column("unit", .words, "What both are counted in.")
    static let deviations = Column(
        "σ off", .number, "How many standard deviations lie between the two.")
}

/// The output of checks against theory.
public struct SelfTestReport {
    private let checks: [SelfTestCheck]
    private let seed: UInt64
    /// The part that was done before an interruption; nil when everything was.
    private let partial: String?

    /// Makes a report of checks with random numbers of a seed.
    public init(checks: [SelfTestCheck], seed: UInt64, partial: String?) {
        (self.checks, self.seed, self.partial) = (checks, seed, partial)
    }

    /// True if chance explains every difference.
    public var hasPassed: Bool { checks.allSatisfy(\.ok) }

    /// The verdict, and a row for each check.
    public var document: AnswerDocument {
        var document = AnswerDocument(kind: "Self-test", subject: "", sentence: sentence)
        document.isBrief = true
        document.verdict = partial != nil ? .partial : hasPassed ? .passed : .failed
        let rows = checks.map { check in
            [
                Column.simulated(check.model), Column.quantity(check.quantity),
                Column.theory(number(check.theory, of: check), check.theory),
                Column.measured(number(check.measured, of: check), check.measured),
                Column.countedIn(check.unit),
                Column.deviations(deviations(of: check), check.deviations, isGood: check.ok),
            ]
        }
        document.sections = [Section("", [.table(Table(rows))])]
        return document
    }

    private var sentence: String {
        let failures = checks.count { !$0.ok }
        let count = Units.counted(checks.count, "check")
        let off =
            "more than \(Units.threeDigits(SelfTestCheck.deviationsMax)) standard deviations off"
        if let partial {
            return "interrupted after \(partial) · seed \(seed) · \(failures) of \(count) \(off)"
        }
        return hasPassed
            ? "\(count) · seed \(seed) · none \(off)"
            : "\(failures) of \(count) · seed \(seed) · \(off)"
    }

    private func number(_ value: Double, of check: SelfTestCheck) -> String {
        check.isExact ? "\(Int64(value))" : Units.digits(value, significant: 6)
    }

    private func deviations(of check: SelfTestCheck) -> String {
        guard !check.isExact else { return check.ok ? "equal" : "differ" }
        return Units.threeDigits(check.deviations)
    }

    /// The checks as one JSON document.
    public func json(version: String) -> JSON {
        [
            "schemaVersion": 1, "version": .string(version), "seed": .unsigned(seed),
            "verdict": .string(partial == nil ? hasPassed ? "passed" : "failed" : "partial"),
            "deviationsMax": .number(SelfTestCheck.deviationsMax),
            "checks": .array(checks.map(\.json)),
        ]
    }
}

extension SelfTestCheck {
    fileprivate var json: JSON {
        [
            "model": .string(model), "quantity": .string(quantity), "unit": .string(unit),
            "theory": .number(theory), "measured": .number(measured),
            "standardError": .number(standardError),
            "deviations": deviations.isFinite ? .number(deviations) : .null, "ok": .bool(ok),
        ]
    }
}
