import SquallApps
import SquallBackend
import SquallHTTP
import SquallKernel
import SquallLab
import SquallServices
import SquallSockets

@testable import SquallLive

/// A server without sockets, with its clock: the backend of a profile, in a simulation of its own
/// that stands wherever the clock stands.
final class ServedWire: Wire {
    private let simulation: Simulation
    private let backend: Backend
    private let observer = SilentObserver()
    private let origin: String
    private var inbox: [() -> Void] = []
    private(set) var now: Int64 = 7_000
    private var requests: UInt32 = 0
    /// How much later than asked each wait ends.
    var oversleeps: Int64 = 0
    /// What the server responds instead.
    var rewrites: (_ target: String, WireResponse) -> WireResponse = { $1 }
    /// Is told each request as it travels.
    var heard: (OutgoingRequest) -> Void = { _ in }
    /// Whether nothing can be reached.
    var isDown = false
    private(set) var (begun, cancelled) = (0, 0)
    private static let start: Int64 = 7_000

    init(_ profile: Profile) throws {
        let root = RandomStream(seed: profile.seed)
        simulation = Simulation()
        origin = profile.app(named: profile.populations[0].app)?.origin ?? ""
        let services = ServicesPlan(profile)
        backend = Backend(
            simulation: simulation, plan: BackendPlan(profile),
            services: ServiceKind.services(services, randomness: root), randomness: root,
            observer: observer)
    }

    var open: Int { begun > 0 ? 1 : 0 }
    var openMost: Int { open }
    var made: Int { isDown ? 0 : open }

    func begin(
        _ request: OutgoingRequest, connectionsOf lane: UInt64, at now: Int64,
        told: @escaping (Result<WireResponse, WireProblem>) -> Void
    ) -> () -> Void {
        begun += 1
        requests += 1
        heard(request)
        guard !isDown else {
            let problem = WireProblem(code: .cannotConnectToHost, text: "refused")
            inbox.append { told(.failure(problem)) }
            return {}
        }
        follow()
        let number = requests
        let live = backend.exchange(
            request.received(at: origin),
            cause: { _ in RequestCause(user: lane & 0xFFFF_FFFF, request: number) }
        ) { [self] result in
            let response = result.mapError { WireProblem(code: $0.code) }.map {
                rewrites(request.target, $0.onWire)
            }
            inbox.append { told(response) }
        }
        return { [self] in
            cancelled += 1
            backend.abandon(live)
        }
    }

    func wait(nanoseconds span: Int64) {
        let due = simulation.nextDue.map { $0.nanoseconds + Self.start } ?? .max
        now = max(now, min(due, now + span)) + oversleeps
    }

    func enter(at now: Int64) {
        follow()
        let came = inbox
        inbox = []
        for event in came { event() }
    }

    private func follow() {
        _ = try? simulation.follow(until: Instant(nanoseconds: now - Self.start))
    }
}

extension TransportResponse {
    fileprivate var onWire: WireResponse {
        WireResponse(status: head.statusCode, headers: head.headers, body: body.bytes)
    }
}

extension OutgoingRequest {
    /// The request as its server reads it.
    fileprivate func received(at origin: String) -> URLRequest {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        guard case .whole(let body) = upload else { preconditionFailure("a body in pieces") }
        return URLRequest(
            url: WebURL(origin: origin, path: parts[0], query: parts.count > 1 ? parts[1] : nil),
            method: method, headers: headers, body: body)
    }
}

/// A profile that is driven and simulated.
struct DrivenTrial {
    let profile: Profile
    let wire: ServedWire
    let driver: ServerDriver

    init(
        _ settings: [String] = [], rate: Int64 = 1_000_000,
        accounts: [UserAccount] = [], decoded: [String: [String]?] = [:],
        share: UserShare = .all, client: ClientCredentials? = nil
    ) throws {
        let overrides = settings.compactMap { ProfileOverride(setting: $0) }
        profile = try Profile.read(
            Array(Self.text.utf8), file: "test", vocabulary: .installed, overrides: overrides)
        let wire = try ServedWire(profile)
        self.wire = wire
        var setup = DriveSetup(
            try DriveTarget("http://127.0.0.1:9"), origin: "https://api.example.com",
            epoch: .standard)
        setup.limits.requestsPerSecond = rate
        (setup.accounts, setup.share, setup.client) = (accounts, share, client)
        setup.expected.form = ServicesPlan(profile).access(at: setup.origin)?.form
        (setup.expected.place, setup.expected.decoded) = ("backend.service.", decoded)
        driver = ServerDriver(
            setup, over: wire, clock: .init(elapsed: { wire.now }, processor: { 0 }))
    }

    /// What the profile's own, simulated backend answers.
    func simulated() throws -> RunResult { try run(changing: { _ in }) }

    /// What the served one answers.
    func driven(
        _ progress: @escaping (RunProgress) -> RunControl = { _ in .continue },
        logged: ((ServerRecord) -> Void)? = nil
    ) throws -> RunResult {
        try run(progress) { ($0.driver, $0.serverLog) = (driver, logged) }
    }

    private func run(
        _ progress: (RunProgress) -> RunControl = { _ in .continue },
        changing change: (inout LoadRun.Options) -> Void
    ) throws -> RunResult {
        var options = LoadRun.Options(replayCommand: "")
        change(&options)
        return try LoadRun(profile: profile, named: "test", options: options).run(
            progress: progress)
    }

    /// Nothing in it is left to chance but which user arrives when.
    private static let text = """
        { "schemaVersion": 1, "duration": "60s", "drain": "10s",
          "populations": [{ "app": "mine", "users": 12, "journeys": { "read": 1 },
            "thinkTime": "2s", "away": "3s", "arriveOver": "5s", "startsSignedIn": false }],
          "apps": [{ "name": "mine", "screens": [
              { "name": "home", "calls": [["posts", "profile", "notes"]] },
              { "name": "rest", "calls": [["profile"]] }],
            "tokens": {},
            "designs": [{ "name": "naive",
              "tokens": { "singleFlight": false, "refreshesLate": true } }],
            "journeys": [{ "name": "read", "steps": ["home", "rest"] }] }],
          "backend": { "tokens": { "accessLifetime": "10s" },
            "network": { "up": "40ms", "down": "40ms", "timeout": "5s" },
            "server": { "serviceTime": "20ms" },
            "service": { "endpoints": [
              { "name": "posts", "path": "/posts", "rows": 20, "bytes": 500,
                "list": { "by": "cursor", "objects": 50 } },
              { "name": "profile", "path": "/me", "serviceTime": "70ms" },
              { "name": "notes", "path": "/me/notes/{id}", "bytes": 100 }] } },
          "thresholds": { "hangs": ["count==0"] } }
        """
}
