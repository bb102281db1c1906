import SquallDocument
import SquallFormat
import SquallLab
import SquallProof
import SquallReport

extension Command {
    static let selfTest = Command(
        name: "selftest",
        summary: "Hold the simulation against queueing theory, in standard deviations.",
        operands: [],
        options: [
            Option("--filter", .text("text"), "Only models whose name contains the text."),
            Option(
                "--points", .text("workers,load"),
                "Instead of the built-in models a station of your own, such as 4,0.8: M/M/c as a"
                    + " queue and as a run of a profile, with one worker M/D/1"
                    + " too.", repeats: true),
            Option("--thorough", "Every model, with ten times as many replications."),
            Option("--seed", .seed, "Measure with other random numbers; 1 unless said otherwise."),
            Option("--json", "Print the checks as one JSON document."),
            Option(
                "--bias", .count(0...1_000),
                "Let services take so many per cent longer than theory is told, which must fail."),
            .quiet, .noColor,
        ],
        example: "squall selftest --filter M/M/1",
        perform: { try SelfTestCommand(invocation: $0).perform() })
}

/// Simulates models with known formulas, and fails where chance does not explain a difference.
struct SelfTestCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let seed = arguments.seed("--seed") ?? 1
        let conditions = SelfTestConditions(
            seed: seed, biasPercent: arguments.count("--bias") ?? 0,
            isThorough: arguments.has("--thorough"))
        let chosen = try chosen()
        let checks = try interruption.each(of: chosen) { try measure($0, conditions) }
        let report = SelfTestReport(
            checks: checks.flatMap { $0 }, seed: seed,
            partial: checks.count < chosen.count
                ? "\(checks.count) of \(Units.counted(chosen.count, "model"))" : nil)
        show(report.document, json: report.json.document)
        return interruption.code(otherwise: report.hasPassed ? .passed : .failed)
    }

    /// The models to simulate; a name also finds those that otherwise need --thorough.
    private func chosen() throws -> [SelfTestCase] {
        let filter = arguments.text("--filter")
        let points = try arguments.texts("--points").map(SelfTestPoint.init)
        let own = points.enumerated().filter { !points[..<$0.offset].contains($0.element) }
            .flatMap { tool.selfTestPoint($0.element.workers, $0.element.load) }
        let chosen = (points.isEmpty ? tool.selfTests : own).filter { selfTest in
            filter.map(selfTest.model.contains)
                ?? (arguments.has("--thorough") || !selfTest.isThorough)
        }
        guard !chosen.isEmpty else {
            throw CommandFailure.usage("no model's name contains '\(filter ?? "")'")
        }
        return chosen
    }

    private func measure(
        _ selfTest: SelfTestCase, _ conditions: SelfTestConditions
    ) throws -> [SelfTestCheck] {
        let showsProgress = !isQuiet && console.isTerminal(.error)
        if showsProgress { console.write("\r\u{1b}[K\(selfTest.model)", to: .error) }
        defer { if showsProgress { console.write("\r\u{1b}[K", to: .error) } }
        return try selfTest.checks(under: conditions)
    }
}

/// A station given on the command line: its number of workers, and their utilisation.
struct SelfTestPoint: Equatable {
    let workers: Int
    let load: Double

    /// Parses workers and utilisation, as `4,0.8`.
    init(_ text: String) throws(CommandFailure) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let workers = Int(parts[0]), let load = Double(parts[1]),
            SelfTestCase.pointWorkers.contains(workers), SelfTestCase.pointLoads.contains(load)
        else {
            let (most, loads) = (SelfTestCase.pointWorkers.upperBound, SelfTestCase.pointLoads)
            throw .usage(
                "--points must be a number of workers, 1…\(Units.grouped(Int64(most))), and the"
                    + " share of time they are busy, \(loads.lowerBound)…\(loads.upperBound),"
                    + " such as 4,0.8; got '\(text)'")
        }
        self.workers = workers
        self.load = load
    }
}

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
struct SelfTestReport {
    let checks: [SelfTestCheck]
    let seed: UInt64
    /// How much was done before an interruption; nil when everything was.
    var partial: String?

    var hasPassed: Bool { checks.allSatisfy(\.ok) }

    /// The verdict, and a row for each check.
    var document: AnswerDocument {
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

    var json: JSON {
        .object([
            "schemaVersion": 1,
            "version": .string(Version.current),
            "seed": .unsigned(seed),
            "verdict": .string(
                partial == nil ? hasPassed ? "passed" : "failed" : "partial"),
            "deviationsMax": .number(SelfTestCheck.deviationsMax),
            "checks": .array(checks.map(json)),
        ])
    }

    private func json(_ check: SelfTestCheck) -> JSON {
        .object([
            "model": .string(check.model), "quantity": .string(check.quantity),
            "unit": .string(check.unit), "theory": .number(check.theory),
            "measured": .number(check.measured), "standardError": .number(check.standardError),
            "deviations": check.deviations.isFinite ? .number(check.deviations) : .null,
            "ok": .bool(check.ok),
        ])
    }
}
