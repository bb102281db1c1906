import SquallFormat
public import SquallKernel

/// The connections of a phone to a server: the cost of setting one up, its load, its end, and the
/// client's reaction to that.
///
/// Set-up by round trips before the first byte of a request: TCP 1, QUIC none of its own; TLS 1.2
/// 2, resumed 1; TLS 1.3 1, with early data none for safe requests (RFC 8446 §2, RFC 5246 §7.3, RFC
/// 9001 §4.1).
public struct ConnectionPlan: Hashable, Sendable {
    /// The protocol that carries the requests.
    public var carrier: Carrier
    /// The protocol that encrypts it.
    public var tls: TLS
    /// How likely a set-up resumes an earlier session of the client.
    public var resumption: Double
    /// True to send safe requests with the first bytes of a resumed set-up.
    public var hasEarlyData: Bool
    /// How long the look-up of a host's name takes.
    public var lookUp: Distribution
    /// How long a name that was looked up stays known.
    public var lookUpCacheNanoseconds: Int64
    /// How many requests one connection carries at once.
    public var streams: Int
    /// How long a client keeps a connection that carries nothing; `nil` for ever.
    public var clientIdleNanoseconds: Int64?
    /// After how long the server closes a connection that carries nothing; `nil` for never.
    public var serverIdleNanoseconds: Int64?
    /// True if a server of HTTP/2 or HTTP/3 says GOAWAY when it closes one (RFC 9113 §6.8).
    public var saysGoAway: Bool
    /// How many requests the server takes from one connection; `nil` for any number.
    public var requestsMax: Int?
    /// After how long the server takes one more request from a connection; `nil` for never.
    public var ageNanoseconds: Int64?
    /// The client's reaction to the end of a request's connection.
    public var repeats: Repeats
    /// The time that a TLS handshake takes a processor of the server.
    public var handshakeTime: Distribution
    /// How many bytes the server's certificates have, which a full handshake brings over the line
    /// of a user; of none where bandwidth is not limited.
    public var certificateBytes: Int
    /// How many handshakes its processors work on at once; others wait in order.
    public var handshakeWorkers: Int
    /// How a phone's radio falls asleep and wakes; `nil` where it is always awake.
    public var radio: Radio?

    /// The radio of a phone in a cell.
    public struct Radio: Hashable, Sendable {
        /// How long it takes to wake.
        public var promotion: Distribution
        /// After how long without traffic it sleeps.
        public var idleNanoseconds: Int64
    }

    /// What carries requests.
    public enum Carrier: String, Hashable, Sendable, CaseIterable {
        /// HTTP/1.1: one request at a time on each of some connections.
        case http1
        /// HTTP/2: streams of one connection.
        case http2
        /// HTTP/3: streams of one QUIC connection.
        case http3
    }

    /// What encrypts a connection.
    public enum TLS: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// TLS 1.2.
        case twelve = "1.2"
        /// TLS 1.3.
        case thirteen = "1.3"
    }

    /// The requests that a client sends again by itself, each rule including the one before; at
    /// most once, but as often as a server says that it has not processed a request.
    public enum Repeats: String, Hashable, Sendable, CaseIterable {
        /// No request: the call fails.
        case never
        /// Requests that the server says it has not processed, by the last stream of its GOAWAY.
        case goAway
        /// Also requests of idempotent methods.
        case idempotent
        /// Every request.
        case all
    }
}

extension ConnectionPlan {
    /// HTTP/2 over TLS 1.3, on a server that never closes.
    public static let standard = SettingFormat.section { ConnectionPlan(&$0) }.placeholder()

    /// Reads the plan as a section of a profile's network.
    init(_ read: inout SettingsReader) {
        carrier = read(
            "protocol", .choice(Carrier.self), otherwise: "http2",
            "What carries requests: http1 one at a time on each of connectionsPerHost (iOS 4,"
                + " macOS and browsers 6, OkHttp 5), http2 and http3 streams of one.")
        tls = read(
            "tls", .choice(TLS.self), otherwise: "1.3",
            "What encrypts a connection: 1.2 costs two round trips, resumed one; 1.3 costs one.")
        resumption = read(
            "resumption", .number(0...1), otherwise: 0,
            "Probability that a set-up resumes a session of before.")
        hasEarlyData = read(
            "earlyData", .flag, otherwise: .bool(false),
            "Whether GET and HEAD go with the first bytes of a resumed set-up.")
        lookUp = read(
            "lookUp", .distribution(0...Span.hour), otherwise: "0s",
            "Time to look a host's name up that is not known.")
        lookUpCacheNanoseconds = read(
            "lookUpCache", .duration(0...Span.day), otherwise: "1m",
            "How long a phone knows a name that it has looked up.")
        streams = read(
            "streams", .integer(1...65_535), otherwise: 100,
            "With http2 and http3, how many requests a connection carries at once.")
        clientIdleNanoseconds = read.optional(
            "clientIdle", .duration(0...Span.day),
            "How long a client keeps a connection that rests; for ever by default.")
        let idle = read.optional(
            "serverIdle", .duration(0...Span.day),
            "After how long the server closes a connection that rests; never by default.")
        let server = read.optional(
            "server", .words(ServerIdleLimit.all.map(\.name)),
            "The server in place of serverIdle: what its default closes, as measured.")
        serverIdleNanoseconds = idle ?? server.flatMap { ServerIdleLimit.nanoseconds(of: $0) }
        saysGoAway = read(
            "idleGoAway", .flag, otherwise: .bool(true),
            "Whether a server of http2 and http3 says GOAWAY when it closes a connection that"
                + " rests, as nginx and Caddy do and Hypercorn does not.")
        requestsMax = read.optional(
            "requests", .integer(1...1_000_000_000),
            "How many requests the server takes from a connection; nginx 1000. No limit by"
                + " default.")
        ageNanoseconds = read.optional(
            "age", .duration(Span.millisecond...Span.day),
            "From which age on a connection is closed behind its next request; nginx 1h. Never by"
                + " default.")
        repeats = read(
            "repeats", .choice(Repeats.self), otherwise: "idempotent",
            "What a client repeats when its connection ends: nothing, what a GOAWAY says was"
                + " not processed, that and idempotent methods (RFC 9110 §9.2.2), or all.")
        handshakeTime = read(
            "handshakeTime", .distribution(0...Span.minute), otherwise: "0s",
            "Time of the server's processor for a TLS handshake.")
        certificateBytes = read(
            "certificateBytes", .integer(0...1_000_000), otherwise: 0,
            "Size of the server's certificates, which a set-up that resumes nothing brings over"
                + " the user's line.")
        handshakeWorkers = read(
            "handshakeWorkers", .integer(1...1_000_000), otherwise: 1,
            "How many handshakes the server works on at once; others wait.")
        radio = read.optional(
            "radio", .section { Radio(&$0) },
            "How a phone's radio falls asleep and wakes; always awake by default.")
        check(&read)
    }

    /// Refuses what contradicts or would have no effect.
    private func check(_ read: inout SettingsReader) {
        let written = Set(read.keys)
        let isPlain = tls == .none
        func refuse(_ key: String, if isBroken: Bool, _ reason: String) {
            if isBroken { read.refuse(key, reason) }
        }
        refuse(
            "tls", if: carrier == .http3 && tls != .thirteen,
            "must be \"1.3\" with http3, which has no other encryption; leave it out")
        refuse(
            "earlyData", if: hasEarlyData && tls != .thirteen,
            "needs tls \"1.3\"; older handshakes have no early data")
        refuse(
            "earlyData", if: hasEarlyData && resumption == 0,
            "needs a resumption above 0; only a resumed set-up has early data")
        refuse(
            "resumption", if: resumption > 0 && isPlain,
            "needs tls \"1.2\" or \"1.3\"; without encryption there is no session to resume")
        let isFree = handshakeTime == .constant(nanoseconds: 0)
        refuse(
            "handshakeTime", if: isPlain && !isFree,
            "needs tls \"1.2\" or \"1.3\"; without encryption there is no handshake")
        refuse(
            "handshakeWorkers", if: written.contains("handshakeWorkers") && isFree,
            "needs a handshakeTime above 0s; work that takes no time makes no queue")
        refuse(
            "lookUpCache",
            if: written.contains("lookUpCache") && lookUp == .constant(nanoseconds: 0),
            "needs a lookUp above 0s; a name that costs nothing need not be kept")
        refuse(
            "certificateBytes", if: isPlain && certificateBytes > 0,
            "needs tls \"1.2\" or \"1.3\"; without encryption there is no certificate")
        refuse(
            "streams", if: carrier == .http1 && written.contains("streams"),
            "needs protocol \"http2\" or \"http3\"; for \"http1\" say connectionsPerHost")
        refuse(
            "idleGoAway", if: carrier == .http1 && written.contains("idleGoAway"),
            "needs protocol \"http2\" or \"http3\"; \"http1\" has no GOAWAY")
        refuse(
            "repeats", if: carrier == .http1 && repeats == .goAway,
            "\"goAway\" needs protocol \"http2\" or \"http3\"; \"http1\" has \"never\","
                + " \"idempotent\" and \"all\"")
        refuse(
            "server", if: written.contains("server") && written.contains("serverIdle"),
            "says serverIdle already; leave one of them out")
    }
}

extension ConnectionPlan.Radio {
    fileprivate init(_ read: inout SettingsReader) {
        promotion = read(
            "promotion", .distribution(0...Span.minute),
            otherwise: ["uniform": ["100ms", "300ms"]],
            "Time the radio takes to wake; 100 to 300 ms as measured on LTE, which aims at 100 ms"
                + " (3GPP TR 36.913 §7.2.1).")
        idleNanoseconds = read(
            "idleAfter", .duration(0...Span.hour), otherwise: "10s",
            "After how long without traffic the radio sleeps.")
    }
}

extension ConnectionPlan {
    /// How many requests a connection carries at once.
    var carriedAtOnce: Int { carrier == .http1 ? 1 : streams }

    /// True if a server says which requests it has taken when it closes a connection that rests.
    var announcesClosing: Bool { carrier != .http1 && saysGoAway }

    /// Round trips of TCP before the encryption.
    var connectTrips: Int { carrier == .http3 ? 0 : 1 }

    /// Round trips of the encryption before a request can follow.
    func handshakeTrips(isResumed: Bool) -> Int {
        switch tls {
        case .none: 0
        case .twelve: isResumed ? 1 : 2
        case .thirteen: 1
        }
    }
}

/// After how long servers close a connection that carries nothing, by their default settings.
///
/// Measured with one request and a rest, each server as its package starts it: last Starman 0.4016
/// (1.00 s), cheroot 11.1.2 (10.0 s) and thin 1.8.1 (30.0 s). Node 20.20.2 announces 5 s and closes
/// a second later.
public struct ServerIdleLimit: Sendable {
    /// The server.
    public let name: String
    /// Its limit in seconds; 0 for a server that closes behind every response.
    public let seconds: Int64

    /// Every server that was measured, by its limit.
    public static let all: [ServerIdleLimit] = [
        (0, ["uwsgi"]), (1, ["starman"]), (2, ["gunicorn"]),
        (5, ["apache", "express", "hypercorn", "lighttpd", "uvicorn", "varnish"]),
        (6, ["node"]), (10, ["cheroot", "cherrypy", "h2o"]), (20, ["puma"]),
        (30, ["granian", "haproxy", "jetty", "thin", "webrick"]),
        (60, ["daphne", "nghttpx", "tomcat", "twisted"]), (75, ["aiohttp", "nginx"]),
        (120, ["sanic", "squid"]),
    ].flatMap { (seconds: Int64, names: [String]) in
        names.map { ServerIdleLimit(name: $0, seconds: seconds) }
    }

    /// The limit of a server in nanoseconds; `nil` for one that was not measured.
    public static func nanoseconds(of name: String) -> Int64? {
        all.first { $0.name == name }.map { $0.seconds * Span.second }
    }
}
