extension BinaryInteger {
    /// The number with leading zeros up to a number of digits; it must not be negative.
    public func padded(_ digits: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension Int64 {
    /// A thousandth of the number with exactly three decimals; it must not be negative.
    public var thousandths: String { "\(self / 1_000).\((self % 1_000).padded(3))" }
}
