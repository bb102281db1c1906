import SquallBackend
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallLab
import SquallServices

@testable import SquallLive

/// A token service with drawn rules, and what a probe of it must find.
struct ProbedService: CustomStringConvertible {
    let number: Int
    private let draw: RandomStream
    let rule: String
    let window, life, lag: Int64
    let generations: Int64
    let replaysUnusedChild, endsAccess: Bool
    let form: String
    let expired: (status: Int, body: String)
    let rate: Int64?

    private static let rules = [
        "coexist", "early409", "rotatingStrict", "rotatingWithLeeway", "rotatingWithReplay",
        "oneShot",
    ]
    private static let bodies = [
        "{}", #"{"error":"invalid_token","error_description":"expired"}"#, "jwt expired",
        #"{"code":"E4012","message":"액세스 토큰이 만료되었습니다."}"#,
    ]

    init(number: Int) {
        self.number = number
        let draw = RandomStream(seed: 56).stream(number: UInt64(number))
        func below(_ bound: Int, _ place: UInt64) -> Int {
            Int(draw.integer(below: UInt64(bound), at: place))
        }
        self.draw = draw
        rule = Self.rules[number % Self.rules.count]
        window = Int64(below(61, 1))
        life = [2, 7, 10, 30, 45, 75, 90, 3_600][below(rule == "early409" ? 7 : 8, 2)]
        generations = 1 + Int64(below(3, 3))
        replaysUnusedChild = below(4, 4) == 0
        endsAccess = rule != "early409" && below(3, 5) == 0
        form = ["bearer", "status419", "sessionCookie"][below(3, 6)]
        expired = ([401, 419, 400, 498][below(4, 7)], Self.bodies[below(Self.bodies.count, 8)])
        rate = below(3, 9) == 0 ? 1 + Int64(below(5, 10)) : nil
        lag =
            ["rotatingStrict", "rotatingWithLeeway"].contains(rule) && below(3, 11) == 0
            ? [3, 12, 20][below(3, 12)] : 0
    }

    var description: String {
        "\(number): \(rule), window \(window) s × \(generations), life \(life) s, lag \(lag) s,"
            + " \(form), \(expired.status) \(expired.body), \(rate ?? 0)/s"
            + (replaysUnusedChild ? ", replays unused" : "") + (endsAccess ? ", ends access" : "")
    }

    /// The rules of the profile with other settings in their place.
    func profile(with settings: [(path: String, value: JSON)]) throws -> TokenPolicy {
        let changes = settings.compactMap {
            ProfileOverride(setting: "\($0.path)=\($0.value.plain)")
        }
        return BackendPlan(try profile(changing: changes)).tokens
    }

    /// The profile that has these rules.
    func profile(changing changes: [ProfileOverride] = []) throws -> Profile {
        let limit =
            rate.map { #", "userRate": { "perSecond": \#($0), "burst": 5 }, "retryAfter": "1s""# }
            ?? ""
        let body = expired.body.replacing("\"", with: "\\\"")
        let text = """
            { "schemaVersion": 1, "duration": "60s",
              "populations": [{ "app": "mine", "users": 12, "journeys": { "read": 1 } }],
              "apps": [{ "name": "mine", "screens": [{ "name": "home", "calls": [["me"]] }],
                "journeys": [{ "name": "read", "steps": ["home"] }] }],
              "backend": {
                "tokens": { "accessLifetime": "\(life)s", "refresh": "\(rule)",
                  "reuseWindow": "\(window)s", "reuseGenerations": \(generations),
                  "replaysUnusedChild": \(replaysUnusedChild), "revocationLag": "\(lag)s",
                  "refreshRevokesAccessTokens": \(endsAccess) },
                "network": { "up": "20ms", "down": "20ms" },
                "server": { "serviceTime": "10ms"\(limit) },
                "service": { "form": "\(form)",
                  "expired": { "status": \(expired.status), "body": "\(body)" },
                  "endpoints": [{ "name": "me", "path": "/me" }] } } }
            """
        return try Profile.read(
            Array(text.utf8), file: "drawn", vocabulary: .installed, overrides: changes)
    }

    /// What the rules are for one who sees only requests and responses.
    var semantics: RefreshSemantics {
        let window = window * 1_000_000_000
        switch rule {
        case "early409" where form == "status419": return .early409
        case "coexist", "early409": return .coexist
        case "rotatingWithLeeway" where window > 0:
            return .rotatingWithLeeway(
                windowNanoseconds: window, generations: UInt32(generations))
        case "rotatingWithReplay" where replaysUnusedChild:
            // The longest age that is tried of five minutes.
            return .rotatingWithReplay(windowNanoseconds: 120_000_000_000, parentOfActive: true)
        case "rotatingWithReplay" where window > 0:
            return .rotatingWithReplay(windowNanoseconds: window, parentOfActive: false)
        case "oneShot": return .oneShot
        default: return .rotatingStrict
        }
    }

    /// Probes the service without a socket, in its own time.
    func probed(
        as password: String = "password-0", changing changes: [ProfileOverride] = [],
        client: ClientCredentials? = nil, over served: ServedWire? = nil,
        asking form: TokenForm? = nil, open: Set<TokenCalls.Part> = [],
        _ change: (inout ProbeLimits) -> Void = { _ in },
        isStopped: @escaping (_ elapsed: Int64) -> Bool = { _ in false }
    ) throws -> ProbeReport {
        let profile = try profile(changing: changes)
        let wire = try served ?? ServedWire(profile)
        guard let access = ServicesPlan(profile).access(at: "https://api.example.com") else {
            preconditionFailure("a declared service has an origin")
        }
        var calls = TokenCalls(form ?? access.form)
        (calls.client, calls.open) = (client, open)
        calls.headers += access.headers
        calls.protected = access.example
        var limits = ProbeLimits()
        change(&limits)
        let account = UserAccount(email: "user0@example.com", password: password)
        return TokenProbe(
            try DriveTarget("http://127.0.0.1:9"), over: wire, calls, [account], limits,
            clock: { wire.now }, isStopped: { isStopped(wire.now) }
        ).run()
    }
}
