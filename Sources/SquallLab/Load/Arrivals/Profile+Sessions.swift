import SquallFormat
import SquallKernel

extension Profile {
    /// The planned sessions per second, on average over the run; `nil` where all loads are closed.
    public var plannedSessionsPerSecond: Double? {
        let open = populations.compactMap(\.load.arrivals)
        guard !open.isEmpty else { return nil }
        let expected = open.reduce(0.0) { $0 + $1.expected(until: durationNanoseconds) }
        return expected / durationNanoseconds.seconds
    }

    /// The profile with every rate of arriving sessions multiplied; closed loads stay as they are.
    public func multiplyingArrivals(by factor: Double) -> Profile {
        var profile = self
        profile.assumed.removeAll(where: \.isOfLoad)
        for index in populations.indices {
            profile.populations[index].load.changeArrivals { $0.factor *= factor }
        }
        return profile.lasting(asTracesOf: self)
    }

    /// The profile with a duration in which its traces come as far as another factor let them:
    /// played twice as fast, they are over in half the time.
    func lasting(asTracesOf other: Profile) -> Profile {
        let ends = zip(other.populations, populations).compactMap { before, after in
            after.load.arrivals?.end(of: other.durationNanoseconds, before.load.arrivals)
        }
        var profile = self
        if let end = ends.max() { profile.durationNanoseconds = max(1, end) }
        return profile
    }
}

extension Profile.Arrivals {
    /// The number of sessions that are expected up to a moment of the run, by the stages alone.
    public func expected(until nanoseconds: Int64) -> Double {
        ArrivalProcess(self, stream: RandomStream(seed: 1)).expected(until: nanoseconds)
    }

    /// The moment of these arrivals that was another one with another factor; nil without a trace.
    fileprivate func end(of moment: Int64, _ other: Profile.Arrivals?) -> Int64? {
        guard let other, other.factor != factor, factor > 0 else { return nil }
        let logs = stages.map { $0.value(as: ArrivalShapes.format).reading(files) }
        guard logs.contains(where: { $0 is ArrivalLog }) else { return nil }
        var (rest, end) = (moment, Int64(0))
        for shape in logs {
            let length = shape.played(timesAsFast: other.factor)?.durationNanoseconds
            let span = min(rest, length ?? shape.durationNanoseconds)
            rest -= span
            let ratio = length == nil ? 1 : other.factor / factor
            end = end.clampedSum(Int64(clamped: (Double(span) * ratio).rounded(.up)))
        }
        return end.clampedSum(rest)
    }
}
