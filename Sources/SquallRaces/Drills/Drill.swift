/// A scenario that refresh code is known to get wrong, and what a client promises in it.
///
/// **Start here** to read this folder. A drill sets up the service (`setting`), plays a few actions
/// of a person with a client (`play`), and expects things on the way; ``DrillRules`` judges what
/// crossed the wire. A new drill is one file in `Catalogue` and one line in ``all``.
public struct Drill: Sendable {
    /// Its name in code: `signOutDuringRefresh`.
    public let id: String
    /// Its name in reports: `sign-out during a refresh`.
    public let name: String
    /// What a client promises in it.
    public let promise: String
    /// Where the promise comes from: specifications, vendors' rules, public bugs.
    public let source: String
    /// What usually repairs a client that breaks it, in two sentences.
    public let cure: String
    /// What a client must be able to do, beside signing in and making a call.
    let needs: Set<Ability>
    /// The servers for which it has a meaning; `nil` for all.
    let servers: Set<String>?
    /// Changes the service and the faults before it.
    let setting: @Sendable (inout DrillSetting) -> Void
    /// What happens.
    let play: @Sendable (DrillWorld) async throws -> Void

    init(
        _ id: String, _ name: String, promise: String, source: String, cure: String,
        needs: Set<Ability> = [], servers: [DrillServer]? = nil,
        setting: @escaping @Sendable (inout DrillSetting) -> Void = { _ in },
        play: @escaping @Sendable (DrillWorld) async throws -> Void
    ) {
        self.id = id
        self.name = name
        self.promise = promise
        self.source = source
        self.cure = cure
        self.needs = needs
        self.servers = servers.map { Set($0.map(\.name)) }
        self.setting = setting
        self.play = play
    }

    /// An ability that only some clients or services have.
    public enum Ability: String, Comparable, Sendable {
        /// The client can do this.
        case signOut, isSignedIn, refresh, write, otherScope
        /// The client keeps something that survives a kill of the app.
        case restart = "something kept in device.storage"
        /// The client's storage can be made to fail.
        case storage = "device.storage"
        /// The service can tell clients when to come back.
        case retryAfter = "a service that says Retry-After"

        /// By their names.
        public static func < (left: Ability, right: Ability) -> Bool {
            left.rawValue < right.rawValue
        }
    }
}
