public import SquallFormat

/// The calls about tokens where requests and responses were seen whole, as no log has them.
public struct SeenTokenCalls: Sendable {
    /// A call by its verb and path.
    public struct Call: Sendable {
        let method, path: String

        /// A call of its parts.
        public init(method: String, path: String) { (self.method, self.path) = (method, path) }
    }

    let logIn, refresh, logOut: Call?
    private let settings: [(key: String, value: JSON)]
    /// What the server says of an access token's life, in nanoseconds.
    let statedLife: Int64?

    /// The calls that were seen, and the settings of `backend.service` that say how tokens travel.
    public init(
        logIn: Call?, refresh: Call?, logOut: Call?, settings: [(key: String, value: JSON)],
        statedLife: Int64? = nil
    ) {
        (self.logIn, self.refresh, self.logOut) = (logIn, refresh, logOut)
        (self.settings, self.statedLife) = (settings, statedLife)
    }

    /// The settings, without those of calls that a log has under no such path: it was left out
    /// there, as it may have personal data.
    func settings(_ tokens: TokenTraffic) -> [ProfileValue.Member] {
        let known = [
            "logIn": tokens.logIn, "refresh": tokens.refresh, "logOut": tokens.logOut,
        ]
        return settings.filter { key, _ in known[key].map { $0 != nil } ?? true }
            .map { ($0.key, ProfileValue(JSONNode($0.value))) }
    }
}
