import SquallClient

extension TokenPair {
    /// The pair of two strings as apps store them; an empty access token is no pair.
    init?(storedAccess access: String, refresh: String) {
        guard !access.isEmpty else { return nil }
        self.init(access: access, refresh: refresh)
    }
}
