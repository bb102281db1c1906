import SquallFormat

extension Exploration {
    /// The result of an exploration.
    public enum Verdict: String, Sendable {
        /// Everything that it was asked for was judged, and nothing broke.
        case passed
        /// Something broke.
        case failed
        /// Nothing broke, and something that it was asked for was not judged.
        case notJudged
        /// Nothing broke until it was interrupted.
        case partial
    }

    /// The result.
    public var verdict: Verdict {
        if !findings.isEmpty { return .failed }
        if wasInterrupted { return .partial }
        return notJudged.contains { $0.question.isAskedFor } ? .notJudged : .passed
    }

    /// The result of each question.
    public var judgements: [RaceJudgement] {
        questions.map { question in
            let isBroken = findings.contains { $0.violation.invariant == question.invariant.id }
            return RaceJudgement(question, coverage, isBroken: isBroken)
        }
    }

    /// The questions that no schedule could answer.
    public var notJudged: [RaceJudgement] { judgements.filter(\.isNotJudged) }

    /// The promises that were not judged, in a sentence for each reason.
    public var notJudgedSentences: [String] { Self.sentences(of: notJudged) }

    private static func sentences(of judgements: [RaceJudgement]) -> [String] {
        var reasons: [String] = []
        for judgement in judgements where !reasons.contains(judgement.reason) {
            reasons.append(judgement.reason)
        }
        return reasons.map { reason in
            let titles = judgements.filter { $0.reason == reason }.map(\.title)
            return "not judged: \(titles.joined(separator: ", ")): \(reason)"
        }
    }

    /// What must be read with the verdict: what was not judged and why, and, where nothing broke,
    /// what was varied and what was not.
    public var remarks: [String] {
        let ended = [
            extent.sentence,
            faults.sentence(of: coverage.schedules),
            reduction.isOver
                ? "minimising stopped at \(Units.grouped(Int64(reduction.most))) choices, so"
                    + " findings may be larger than they need be" : nil,
        ].compactMap(\.self)
        return ended + notJudgedSentences + left + (findings.isEmpty ? variation.sentences : [])
    }

    /// A remark where objects of apps outlive their world, with the first such users.
    private var left: [String] {
        let users = coverage.leftBehindUsers.sorted()
        guard !users.isEmpty else { return [] }
        let named = users.prefix(5).map(String.init) + (users.count > 5 ? ["…"] : [])
        let owner = users.count == 1 ? "the app of user" : "the apps of users"
        return [
            "an object of \(owner) \(named.joined(separator: ", ")) outlived"
                + " \(coverage.leftBehind) of \(Units.counted(coverage.schedules, "schedule")):"
                + " a task ignores its cancellation and a closed network, or an object keeps"
                + " itself alive"
        ]
    }

    /// The statement, with the needed questions that were not judged, or the number of others.
    public var headline: String {
        let all = notJudged
        let needed = all.filter(\.question.isAskedFor)
        guard !all.isEmpty else { return statement }
        guard needed.isEmpty else {
            return ([statement] + Self.sentences(of: needed)).joined(separator: "; ")
        }
        return "\(statement); \(all.count) of \(questions.count) promises were not judged"
    }
}
