import Foundation
import Squall

/// A client of somebody else's, whose code nobody here has written, and what is asked of it.
public struct RealClient: Sendable {
    /// What so many calls at once do on an expired token, in a world.
    public typealias Calls =
        @Sendable (_ count: Int, _ world: TestWorld) async throws -> Void

    let name: String
    /// Whether it refreshes once however many calls are told of the expiry.
    let refreshesOnce: Bool
    let calls: Calls

    /// A client by its name.
    public init(_ name: String, refreshesOnce: Bool, calls: @escaping Calls) {
        self.name = name
        self.refreshesOnce = refreshesOnce
        self.calls = calls
    }

    /// Plays it for every number of calls, says what came of it, and ends the process.
    public func play() throws -> Never {
        let settings = ProcessInfo.processInfo.environment
        let seeds = settings["SEEDS"].flatMap(UInt64.init) ?? 50
        let schedules = settings["SCHEDULES"].flatMap(Int.init) ?? 300
        var isRight = true
        let counts = settings["COUNTS"]?.split(separator: ",").compactMap { Int($0) }
        for count in counts ?? [1, 2, 5, 16, 64] {
            isRight = try play(count, seeds: seeds, schedules: schedules) && isRight
        }
        exit(isRight ? 0 : 1)
    }

    private func play(_ count: Int, seeds: UInt64, schedules: Int) throws -> Bool {
        let body: @Sendable (TestWorld) async throws -> Void = { try await calls(count, $0) }
        var texts: Set<String> = []
        for seed in 1...seeds {
            let run = try simulate(seed: seed, body)
            texts.insert("\(run.refreshes) refreshes, \(run.calls) calls, \(run.elapsed)")
        }
        let start = processorSeconds()
        let races = try explore(schedules: schedules, body)
        let spent = processorSeconds() - start
        let line = """
            \(name), \(count) at once: \(texts.sorted().joined(separator: " or ")) \
            with \(seeds) seeds; \(races.schedules) schedules, \
            \(races.findings.map { "✗ \($0.text)" }.joined(separator: ", "))
            """
        print(line.trimmingCharacters(in: [" ", ","]))
        // How fast it was differs from run to run, and so stands beside the result.
        let speed = "\(Int(Double(races.schedules) / spent)) schedules a second of processor time\n"
        FileHandle.standardError.write(Data(speed.utf8))
        return !refreshesOnce || races.findings.isEmpty && texts.allSatisfy { $0.hasPrefix("1 ") }
    }
}

/// How much processor time the process has used, on all its threads.
private func processorSeconds() -> Double { Double(clock()) / 1e6 }

/// A service that is mounted, a token of it that has just expired, and what refreshes it.
public struct ExpiredSession: Sendable {
    /// Where it answers.
    public let url: URL
    /// The access token that has expired.
    public let access: String
    /// What buys another.
    public let refresh: String

    /// Mounts a service that has posts.
    public init(in world: TestWorld) {
        let far = world.mount(TokenService(.bearer, routes: [.get("/posts", json: "[1]")]))
        let tokens = far.expiredTokens()
        (url, access, refresh) = (far.url, tokens.access, tokens.refresh)
    }

    /// The body of a refresh.
    public var form: Data {
        Data("grant_type=refresh_token&refresh_token=\(refresh)".utf8)
    }
}

/// What a refresh is answered.
public struct RefreshAnswer: Decodable, Sendable {
    /// The new access token.
    public let access_token: String
}

/// Does something so many times at once.
public func atOnce(
    _ count: Int, _ body: @escaping @Sendable () async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count { group.addTask { try await body() } }
        try await group.waitForAll()
    }
}
