/// Another law's samples times a factor, and later or earlier by a constant; never negative.
struct ChangedLaw: Law {
    let base: Distribution
    let factor: Double
    let addedNanoseconds: Int64

    var mean: Double { max(0, base.mean * factor + Double(addedNanoseconds)) }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: Double(base.sample(stream, at: ordinal)) * factor + Double(addedNanoseconds))
    }
}

extension Distribution {
    /// Every sample times a factor.
    public func times(_ factor: Double) -> Distribution {
        Distribution(ChangedLaw(base: self, factor: factor, addedNanoseconds: 0))
    }

    /// Every sample longer by as much, or shorter where that is negative, but never below zero.
    public func adding(nanoseconds: Int64) -> Distribution {
        Distribution(ChangedLaw(base: self, factor: 1, addedNanoseconds: nanoseconds))
    }
}
