import SquallFormat
import SquallLab

/// The beginning of a run in an answer, and the rule by which a search leaves more of it out.
extension CapacitySearch {
    /// Round lengths that a user would write.
    private static let lengths: [Int64] = [10, 20, 30, 60, 120, 300, 600, 900, 1_200, 1_800]
        .map { $0 * Span.second }

    /// The series that differ at the beginning, with the option that leaves the beginning out.
    func transient(at end: CapacityEnd) -> Transient? {
        guard variation.experiment.profile.isEven, var found = Transient(runs(at: end)) else {
            return nil
        }
        let length = nextWarmUp(at: end)
        found.option =
            length.map { "--set warmUp.for=\(Units.exact(nanoseconds: $0))" }
            ?? "--for \(Units.exact(nanoseconds: 2 * duration))"
        return found
    }

    /// The search with a longer warm-up; `nil` where no more is to be left out, or the profile sets
    /// the warm-up.
    ///
    /// Only where all users begin together: where sessions arrive, only the empty start is unusual,
    /// and a remark of the answer says so.
    func leavingMoreOut(at end: CapacityEnd) throws -> CapacitySearch? {
        let profile = variation.experiment.profile
        guard options.grid.isEmpty, ownWarmUp > 0 || profile.warmUp == .none,
            profile.populations.contains(where: \.beginsTogether), let best = end.value,
            transient(at: end) != nil, let length = nextWarmUp(at: end),
            let override = ProfileOverride(
                setting: "warmUp.for=\(Units.exact(nanoseconds: length))")
        else { return nil }
        let experiment = try (drawn ?? variation).experiment.fixed(override)
        var options = options
        options.start = best
        return CapacitySearch(
            try Variation(variation.name, of: experiment), options, replicator, ownWarmUp: length,
            spent: cost)
    }

    private var duration: Int64 { variation.experiment.profile.durationNanoseconds }

    /// A round length after which the beginning should be over; nil where it is more than half of
    /// the time before a fault.
    private func nextWarmUp(at end: CapacityEnd) -> Int64? {
        let profile = variation.experiment.profile
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
    /// True for a constant load, with which a beginning that differs is not part of the question.
    fileprivate var isEven: Bool {
        populations.allSatisfy { population in
            switch population.load {
            case .closed(_, let stages): stages.isEmpty
            case .open(let arrivals):
                arrivals.stages.count == 1 && arrivals.stages.first?.kind == "constant"
            }
        }
    }
}

extension Profile.Population {
    /// True for a closed load without stages, with which all users begin together and stay.
    fileprivate var beginsTogether: Bool {
        if case .closed(_, let stages) = load { stages.isEmpty } else { false }
    }
}
