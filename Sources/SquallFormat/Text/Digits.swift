extension BinaryInteger {
    /// The number with zeros in front of it until it has so many digits; it is not negative.
    public func padded(_ digits: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension Int64 {
    /// A thousandth of the number with exactly three decimals; the number is not negative.
    public var thousandths: String { "\(self / 1_000).\((self % 1_000).padded(3))" }
}
