/// Arithmetic of durations that stops at the largest number instead of trapping.
extension Int64 {
    /// The sum of two non-negative numbers, at most the largest number.
    @inlinable
    public func clampedSum(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The product of two non-negative numbers, at most the largest number.
    @inlinable
    public func clampedProduct(_ other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }

    /// A number without its fraction, clamped to the range; the largest one for NaN.
    @inlinable
    public init(clamped number: Double) {
        guard number < Double(Int64.max) else {
            self = .max
            return
        }
        self = number > Double(Int64.min) ? Int64(number) : .min
    }
}
