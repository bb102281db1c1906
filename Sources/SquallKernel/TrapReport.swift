import CVirtualClock

/// Prints seed, virtual time, user and the repeating command when a trap ends the process.
///
/// Swift ends a program at once when a precondition does not hold, and a release build then says
/// nothing. A signal handler that does nothing else writes the report; the process exits with 70
/// and leaves what it has written.
public enum TrapReport {
    /// Makes traps of this process print the report; only for a program of our own.
    public static func install() { squall_report_traps() }

    /// Makes a trap say on standard error in which of ``Containment``'s work it happened, and end
    /// the process as it would; for a process of others, such as a test's.
    public static func name() { squall_name_traps() }

    /// Says what is run, and which command runs it again.
    public static func describe(_ subject: String, replayCommand: String) {
        squall_describe_run(subject, replayCommand)
    }

    /// Notes the user of the present event.
    @inline(__always)
    public static func note(user: Int) { squall_note_user(Int64(user)) }
}

/// Makes a trap, or code that does not end, cost the drill, schedule, replication or profile that
/// it is in, and nothing else.
///
/// No Swift code can go on in a process after a trap. So the handler replaces the process by the
/// same program with the same words, which plays everything again but what trapped: simulations are
/// repeatable, and files are written at the end or kept. Until something traps that costs the copy
/// of a name for each piece of work, and two calls of the system where it has a bound.
public enum Containment {
    /// Makes traps of work cost that work alone, from now on; after ``TrapReport/install()``.
    ///
    /// - Parameters:
    ///   - program: the path of this program.
    ///   - words: its words, which live as long as the process.
    public static func install(
        program: String, words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) { squall_contain_traps(program, words) }

    /// What ended work of earlier starts of this process, by the work's name.
    public static let faults: [String: String] = {
        let lines = String(cString: squall_faults()).split(separator: "\n")
        let pairs = lines.map { $0.split(separator: "\t", maxSplits: 1).map(String.init) }
        return Dictionary(
            pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) },
            uniquingKeysWith: { first, _ in first })
    }()

    /// What ended work of a name in an earlier start; nil where nothing did.
    public static func fault(of work: String) -> String? {
        faults.isEmpty ? nil : faults[work]
    }

    /// Runs work that ends alone where it traps; within other work it is a part of that.
    ///
    /// - Parameters:
    ///   - work: its name, a short line: where it is none, a trap ends the process.
    ///   - seconds: how much time of its processor it may take, by which code is recognised that
    ///     never ends, on Linux; `nil` for work that may take days.
    ///   - body: the work.
    /// - Returns: what the body returns.
    public static func perform<Value>(
        _ work: String, within seconds: Int? = nil, _ body: () throws -> Value
    ) rethrows -> Value {
        let isLine = work.utf8.count < 256 && !work.utf8.contains { $0 < 0x20 }
        let level = isLine ? squall_begin_work(work, Int32(clamping: seconds ?? 0)) : 0
        defer { if level > 0 { squall_end_work(level) } }
        return try body()
    }

    /// The words for a result of such work.
    public static let words = "ended by a fault of the simulation"
}
