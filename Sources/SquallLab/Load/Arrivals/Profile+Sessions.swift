import SquallKernel

extension Profile {
    /// How many sessions arrive each second, on average over the run and as planned; nil where all
    /// loads are closed.
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
        return profile
    }
}

extension Profile.Arrivals {
    /// How many sessions are expected up to a moment of the run, by the stages alone.
    public func expected(until nanoseconds: Int64) -> Double {
        ArrivalProcess(self, stream: RandomStream(seed: 1)).expected(until: nanoseconds)
    }
}
