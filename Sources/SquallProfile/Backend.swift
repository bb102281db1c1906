public import SquallFormat

extension Profile {
    /// The far side of the network.
    public struct Backend: Hashable, Sendable {
        /// Lifetimes of tokens.
        public var tokens: Tokens
        /// The way to the server.
        public var network: Network
        /// What the server can bear.
        public var server: Server
        /// What is done to the server during the run, in the file's order.
        public var faults: [Fault]
        /// What services have to say, by its keys.
        private var services: [String: CheckedSetting] = [:]

        /// What a service's setting is.
        ///
        /// - Precondition: the vocabulary had the setting when the profile was read.
        public func value<Value>(of setting: Setting<Value>) -> Value {
            guard let checked = services[setting.key] else {
                preconditionFailure("the profile was read without the setting \(setting.key)")
            }
            return checked.value(as: setting.format)
        }

        /// Whether it declares a service of its own.
        var declaresService: Bool { services["service"]?.isEmptyObject == false }
    }

    /// Lifetimes of tokens, and what a refresh does to them.
    public struct Tokens: Hashable, Sendable {
        /// How long an access token is good for.
        public var accessLifetimeNanoseconds: Int64
        /// How long a refresh token is good for.
        public var refreshLifetimeNanoseconds: Int64
        /// Random spread of the lifetimes of access tokens.
        public var lifetimeJitterNanoseconds: Int64
        /// What becomes of a refresh token that is shown.
        public var refresh: RefreshRule
        /// How long a used refresh token is still good with leeway or replay.
        public var reuseWindowNanoseconds: Int64
        /// How many generations old a token the leeway accepts.
        public var reuseGenerations: Int64
        /// Whether replay answers the parent of a token that was never used at any time.
        public var replaysUnusedChild: Bool
        /// Whether a refresh ends the life of older access tokens.
        public var refreshRevokesAccessTokens: Bool
        /// For how long the newest token of a revoked sign-in still refreshes.
        public var revocationLagNanoseconds: Int64

        /// Names of refresh semantics.
        public enum RefreshRule: String, Hashable, Sendable, CaseIterable {
            /// The token stays good.
            case coexist
            /// The same, and refreshing before the access token has expired is refused.
            case early409
            /// Each token is good once; reuse ends the sign-in.
            case rotatingStrict
            /// The same, but the latest used token buys another one for a while.
            case rotatingWithLeeway
            /// The same, but the latest used token brings its successor again for a while.
            case rotatingWithReplay
            /// Each token is good once; reuse is refused.
            case oneShot
        }
    }
}

extension Profile.Backend {
    init(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        tokens = read(
            "tokens", .section { Profile.Tokens(&$0) }, otherwise: [:],
            "Lifetimes of tokens, and what a refresh does to them.")
        network = read(
            "network", .section { Profile.Network(&$0, vocabulary) }, otherwise: [:],
            "The way to the server.")
        server = read(
            "server", .section { Profile.Server(&$0, vocabulary) }, otherwise: [:],
            "What the server can bear.")
        for service in vocabulary.services { services[service.key] = read(service) }
        faults = read(
            "faults", .list(of: .section { Profile.Fault(&$0, vocabulary) }, 0...1_000),
            otherwise: [], "What is done to the server during the run.")
    }
}

extension Profile.Tokens {
    init(_ read: inout SettingsReader) {
        accessLifetimeNanoseconds = read(
            "accessLifetime", .duration(Span.second...Span.year), otherwise: "300s",
            "How long an access token is good for.")
        refreshLifetimeNanoseconds = read(
            "refreshLifetime", .duration(Span.second...366 * Span.day), otherwise: "6h",
            "How long a refresh token is good for.")
        lifetimeJitterNanoseconds = read(
            "lifetimeJitter", .duration(0...Span.day), otherwise: "0s",
            "Random spread of the lifetimes of access tokens.")
        refresh = read(
            "refresh", .choice(RefreshRule.self), otherwise: "coexist",
            "What becomes of a refresh token: nothing, or a new one follows and reuse is handled.")
        reuseWindowNanoseconds = read(
            "reuseWindow", .duration(0...Span.hour), otherwise: "10s",
            "How long a used refresh token is still good with leeway or replay.")
        reuseGenerations = read(
            "reuseGenerations", .integer(1...1_000), otherwise: 1,
            "How old a token the leeway accepts; more than 1 is a known bug of one product.")
        replaysUnusedChild = read(
            "replaysUnusedChild", .flag, otherwise: .bool(false),
            "With replay: whether the parent of a token that was never used is good at any time.")
        refreshRevokesAccessTokens = read(
            "refreshRevokesAccessTokens", .flag, otherwise: .bool(false),
            "Whether a refresh ends older access tokens at once, and reuse of a token all of them.")
        revocationLagNanoseconds = read(
            "revocationLag", .duration(0...Span.hour), otherwise: "0s",
            "For how long the newest token of a revoked sign-in still refreshes.")
        checkJitter(&read)
    }

    /// A token's life cannot be shortened by more than it is.
    private func checkJitter(_ read: inout SettingsReader) {
        guard lifetimeJitterNanoseconds > accessLifetimeNanoseconds,
            read.isSound("lifetimeJitter", "accessLifetime")
        else { return }
        let (path, other) = (
            read.path.appending("lifetimeJitter"), read.path.appending("accessLifetime")
        )
        read.report(
            at: path,
            "\(path) must be at most \(other), which is"
                + " \(Units.exact(nanoseconds: accessLifetimeNanoseconds));"
                + " got \(Units.exact(nanoseconds: lifetimeJitterNanoseconds))")
    }
}
