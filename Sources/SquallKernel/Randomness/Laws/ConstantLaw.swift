import SquallFormat

/// Always the same.
struct ConstantLaw: WrittenLaw {
    let nanoseconds: Int64

    static func setting(within range: ClosedRange<Int64>) -> Setting<ConstantLaw> {
        Setting(
            "constant", SettingFormat.duration(range).map { ConstantLaw(nanoseconds: $0) },
            "Always the same.")
    }

    var mean: Double { Double(nanoseconds) }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 { nanoseconds }
}

extension Distribution {
    /// Always the same.
    public static func constant(nanoseconds: Int64) -> Distribution {
        Distribution(ConstantLaw(nanoseconds: nanoseconds))
    }
}
