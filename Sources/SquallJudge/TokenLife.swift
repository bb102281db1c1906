/// When a token was issued, and when it ends as far as its client was told.
public struct TokenLife: Hashable, Sendable {
    /// When it was issued, in nanoseconds.
    public let issuedAt: Int64
    /// When it ends; `nil` where that is not known.
    public let expiry: Int64?

    /// The life of a token that was issued at a moment.
    public init(issuedAt: Int64, expiry: Int64?) {
        (self.issuedAt, self.expiry) = (issuedAt, expiry)
    }

    /// How long it lives, in nanoseconds; `nil` where its end is not known.
    public var span: Int64? { expiry.map { $0 - issuedAt } }

    /// True in its second half, when a client may well renew it; `nil` where its end is not known.
    ///
    /// No RFC says when; clients do it up to half the life ahead (MSAL's `refresh_in`;
    /// LiveInnocenceTests.early).
    public func isDue(at moment: Int64) -> Bool? {
        expiry.map { moment >= $0 - ($0 - issuedAt) / 2 }
    }
}
