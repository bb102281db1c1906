/// Arithmetic of spans that stops at the largest number instead of the program.
extension Int64 {
    /// The sum of two numbers that are not negative, or the largest number.
    @inlinable
    public func clampedSum(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The product of two numbers that are not negative, or the largest number.
    @inlinable
    public func clampedProduct(_ other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
