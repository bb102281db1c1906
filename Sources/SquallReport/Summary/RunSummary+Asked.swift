public import SquallFormat

extension RunSummary {
    /// How much of what was asked for the results are about.
    public var extent: Extent {
        Extent(runWith: virtualNanoseconds, wasInterrupted: verdict == .partial)
    }

    /// What was asked otherwise than in an earlier run of the profile, in a few words each.
    ///
    /// Designs and other settings may differ: what they change is what baselines are for.
    public func askedOtherwise(than earlier: RunSummary) -> [String] {
        let facts: [(what: String, was: String, isNow: String)] = [
            ("users", Units.grouped(earlier.users), Units.grouped(users)),
            ("measured time", earlier.measured, measured),
            ("populations", earlier.crowd, crowd),
        ]
        return facts.filter { $0.was != $0.isNow }.map {
            "\($0.what): \($0.was.isEmpty ? "none" : $0.was) then,"
                + " \($0.isNow.isEmpty ? "none" : $0.isNow) now"
        }
    }

    private var measured: String {
        let until = Units.exact(nanoseconds: measuredUntilNanoseconds)
        return measuredFromNanoseconds == 0
            ? until : "\(Units.exact(nanoseconds: measuredFromNanoseconds)) to \(until)"
    }

    private var crowd: String {
        populations.map { row in
            let count = populations.count == 1 ? "" : "\(Units.grouped(row.users)) "
            return "\(count)\(row.name) (\(row.app))"
        }.joined(separator: ", ")
    }
}

extension RunSummary {
    /// The options that changed what the profile asks, from the command that repeats the run; nil
    /// without a question, or where it was run as it stands.
    var overridden: String? {
        let changing = ["users ", "for ", "set ", "population "]
        let given = replay.split(separator: " --").dropFirst()
            .filter { option in changing.contains { option.hasPrefix($0) } }
        guard !question.isEmpty, !given.isEmpty else { return nil }
        let options = given.map { "--\($0)" }.joined(separator: " ")
        return "Asked with \(options): the answer is about that, not about the profile as written."
    }
}
