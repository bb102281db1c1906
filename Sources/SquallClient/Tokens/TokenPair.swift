/// The two tokens of one sign-in, which belong together.
///
/// It never writes the tokens into a text: what is printed may end up in a report.
public struct TokenPair: Hashable, Sendable {
    /// The token that requests carry.
    public let access: String
    /// The token that buys new tokens.
    public let refresh: String
    /// When the access token expires, in nanoseconds since 1970; `nil` when that is not known.
    public let accessExpiry: Int64?

    /// A pair from its parts.
    public init(access: String, refresh: String, accessExpiry: Int64? = nil) {
        self.access = access
        self.refresh = refresh
        self.accessExpiry = accessExpiry
    }
}

extension TokenPair: CustomStringConvertible, CustomReflectable {
    /// The type's name alone.
    public var description: String { "TokenPair" }
    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
