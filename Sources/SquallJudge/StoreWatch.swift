/// The newest access token that an app has stored.
public struct StoreWatch: Sendable {
    private var stored: (number: Int, index: Int)?

    /// A watch of an app that has stored nothing yet.
    public init() {}

    /// The app stores a token, by its number among the user's.
    public mutating func stored(_ number: Int, at index: Int) { stored = (number, index) }

    /// When a token was stored that is newer than a call's own and was there when it began.
    public func replaced(before began: Int, _ number: Int) -> Int? {
        guard let stored, began > stored.index, number < stored.number else { return nil }
        return stored.index
    }
}
