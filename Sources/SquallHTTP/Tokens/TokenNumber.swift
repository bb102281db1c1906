/// Tells a token from others without its text.
public struct TokenNumber: Hashable, Sendable {
    /// At most 61 bits, so that others can be kept beside it.
    public let value: UInt64

    /// The number of 61 bits; from 2⁶⁰ on they are of texts.
    public init(value: UInt64) { self.value = value }

    /// The number of a token that is known by its place in a list.
    public init(place: Int) { value = (UInt64(place) + 1) << 24 }

    /// Stands for a token that a device has got, and of which nothing else is known.
    public init(unknown renewals: UInt32) { value = UInt64(renewals) & 0xFF_FFFF }

    /// True for a stand-in that no request or response showed.
    public var isUnknown: Bool { value < 1 << 24 }
}
