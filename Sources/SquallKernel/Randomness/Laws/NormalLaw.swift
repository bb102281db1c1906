/// A normal law cut off at zero.
struct NormalLaw: Law {
    let meanNanoseconds: Int64
    let deviation: Int64

    var mean: Double { Double(meanNanoseconds) }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: Double(meanNanoseconds) + Double(deviation)
                * PortableMath.normalQuantile(stream.openUnit(ordinal)))
    }
}

extension Distribution {
    /// A normal law cut off at zero; meant for means of four deviations or more.
    public static func normal(mean: Int64, deviation: Int64) -> Distribution {
        Distribution(NormalLaw(meanNanoseconds: mean, deviation: deviation))
    }
}
