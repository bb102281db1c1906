/// The users for whom every step and exchange is recorded.
public struct TraceSelection: Hashable, Sendable {
    /// One part of a selection.
    enum Part: Hashable, Sendable {
        /// A user, by number.
        case user(Int64)
        /// All users of an app.
        case app(String)
    }

    /// The parts, any of which chooses a user.
    let parts: [Part]

    /// Reads `user:17`, `app:scrolly` or several of them with commas between; nil for other texts.
    public init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let halves = part.split(separator: ":", maxSplits: 1).map(String.init)
            return halves.count == 2 ? Part(halves[0], halves[1]) : nil
        }
        self.parts = parts.compactMap { $0 }
        guard self.parts.count == parts.count else { return nil }
    }

    /// The first part that chooses no user in a profile, as it was written.
    public func unknownUser(in profile: Profile) -> String? {
        for part in parts {
            switch part {
            case .user(let user) where user >= profile.users: return "user:\(user)"
            case .app(let app) where !profile.populations.contains { $0.app == app }:
                return "app:\(app)"
            default: continue
            }
        }
        return nil
    }

    func chooses(user: Int64, of app: String) -> Bool {
        parts.contains { $0 == .user(user) || $0 == .app(app) }
    }
}

extension TraceSelection.Part {
    fileprivate init?(_ kind: String, _ value: String) {
        switch kind {
        case "user":
            guard let user = Int64(value), user >= 0 else { return nil }
            self = .user(user)
        case "app": self = .app(value)
        default: return nil
        }
    }
}
