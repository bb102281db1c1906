import SquallFormat
import SquallLab

/// What of the beginning an answer counts, and how more of it is left out.
extension CapacitySearch {
    /// Lengths that people would write.
    private static let lengths: [Int64] = [10, 20, 30, 60, 120, 300, 600, 900, 1_200, 1_800]
        .map { $0 * Span.second }

    /// What begins otherwise than it goes on at an end, with the option against it.
    func transient(at end: CapacityEnd) -> CapacityAnswer.Transient? {
        guard variation.question.profile.isEven, let found = Transient(runs(at: end)) else {
            return nil
        }
        let length = nextWarmUp(at: end)
        let option =
            if let length {
                "--set warmUp.for=\(Units.exact(nanoseconds: length))"
            } else {
                "--set duration=\(Units.exact(nanoseconds: 2 * duration))"
            }
        return CapacityAnswer.Transient(series: found.series, option: option)
    }

    /// The same search with more of the beginning left out; nil where there is nothing to leave
    /// out, or the profile says what is.
    ///
    /// Only where users begin together: where sessions arrive, nothing but the empty beginning is
    /// odd, and that is said with the answer.
    func leavingMoreOut(at result: Result) throws -> CapacitySearch? {
        let profile = variation.question.profile
        guard options.grid.isEmpty, ownWarmUp > 0 || profile.warmUp == .none,
            profile.populations.contains(where: \.beginsTogether), let best = result.end.value,
            transient(at: result.end) != nil, let length = nextWarmUp(at: result.end),
            let override = ProfileOverride(
                setting: "warmUp.for=\(Units.exact(nanoseconds: length))")
        else { return nil }
        let question = try (drawn ?? variation).question.fixed(override)
        var options = options
        options.from = best
        return CapacitySearch(
            try Variation(variation.name, of: question), options, replicator, ownWarmUp: length,
            spent: result.cost)
    }

    private var duration: Int64 { variation.question.profile.durationNanoseconds }

    /// So much that the beginning should be over, in a length that people would write; nil where
    /// that is half of what there is before a fault, or more.
    private func nextWarmUp(at end: CapacityEnd) -> Int64? {
        let profile = variation.question.profile
        var begin: Int64 = 0
        if case .first(let nanoseconds) = profile.warmUp { begin = nanoseconds }
        let runs = runs(at: end)
        let ends = runs.compactMap(\.settledAfterNanoseconds)
        let settled = ends.count == runs.count ? ends.max() ?? 0 : 0
        let wanted = max(settled, 2 * begin, Span.second)
        let most = runs.map(\.steadyUntilNanoseconds).min() ?? duration
        return Self.lengths.first { $0 >= wanted }.flatMap { $0 * 2 <= most ? $0 : nil }
    }
}

extension Profile {
    /// Whether the load asks for the same all the time, so that a beginning that differs is no
    /// part of the question.
    fileprivate var isEven: Bool {
        populations.allSatisfy { population in
            switch population.load {
            case .closed(_, let stages): stages.isEmpty
            case .open(let arrivals), .partlyOpen(let arrivals, _):
                arrivals.stages.count == 1 && arrivals.stages.first?.kind == "constant"
            }
        }
    }
}

extension Profile.Population {
    /// Whether its users begin within a time of their own and then go on.
    fileprivate var beginsTogether: Bool {
        if case .closed(_, let stages) = load { stages.isEmpty } else { false }
    }
}
