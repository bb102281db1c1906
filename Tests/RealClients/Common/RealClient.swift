public import Foundation
public import Squall

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A client of somebody else's, whose code nobody here has written, and what is asked of it.
public struct RealClient: Sendable {
    /// Makes one call, and says which status it had in the end.
    public typealias Caller = @Sendable (RealCall) async throws -> Int
    /// Makes a client in a world, with an access token that has expired.
    public typealias Start = @Sendable (RealWorld) async throws -> Caller

    let name: String
    /// Whether it refreshes once however many calls are told of the expiry; of one that does not, a
    /// finding is asked from two calls on.
    let refreshesOnce: Bool
    /// What its calls write, or read.
    let kinds: [RealCall.Kind]
    /// Whether the library itself never ends some calls that are cancelled.
    let losesCancelled: Bool
    let start: Start

    /// A client by its name.
    public init(
        _ name: String, refreshesOnce: Bool, kinds: [RealCall.Kind], losesCancelled: Bool = false,
        start: @escaping Start
    ) {
        self.losesCancelled = losesCancelled
        self.name = name
        self.refreshesOnce = refreshesOnce
        self.kinds = kinds
        self.start = start
    }

    /// Plays it for every number of calls, says what came of it, and ends the process.
    ///
    /// What the client prints is dropped: schedules are played on several threads at a time.
    public func play() throws -> Never {
        let results = FileHandle(fileDescriptor: dup(STDOUT_FILENO))
        _ = freopen("/dev/null", "w", stdout)
        let settings = ProcessInfo.processInfo.environment
        let seeds = settings["SEEDS"].flatMap(UInt64.init) ?? 50
        let schedules = settings["SCHEDULES"].flatMap(Int.init) ?? 300
        let counts = settings["COUNTS"]?.split(separator: ",").compactMap { Int($0) }
        var isRight = true
        for count in counts ?? [1, 2, 5, 16, 64] where seeds > 0 {
            let (line, isAsExpected) = try play(count, seeds: seeds, schedules: schedules)
            results.write(Data((line + "\n").utf8))
            isRight = isAsExpected && isRight
        }
        if let worlds = settings["WORLDS"].flatMap(Int.init) { try tellRemains(of: worlds) }
        if let worlds = settings["WRITES"].flatMap(Int.init) ?? (seeds > 0 ? 200 : nil) {
            let first = settings["FIRST"].flatMap(Int.init) ?? 0
            let tally = playWrites(first..<first + worlds, counts ?? [1, 2, 5, 16, 64])
            results.write(Data((tally.description + "\n").utf8))
            isRight = tally.isRight && isRight
        }
        exit(isRight ? 0 : 1)
    }

    /// So many calls of all its kinds, none of which is refused but for the expired token.
    private func calls(_ count: Int) -> @Sendable (TestWorld) async throws -> Void {
        { world in
            let real = RealWorld(world, RealPlan(plain: count, kinds))
            let caller = try await start(real)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for call in real.calls { group.addTask { _ = try await caller(call) } }
                try await group.waitForAll()
            }
            for call in real.calls { call.end() }
            for fault in real.faults { world.expect(false, fault) }
        }
    }

    private func play(
        _ count: Int, seeds: UInt64, schedules: Int
    ) throws -> (line: String, isAsExpected: Bool) {
        let body = calls(count)
        var texts: Set<String> = []
        for seed in 1...seeds {
            let run = try simulate(seed: seed, body)
            let refreshes = "\(run.refreshes) \(run.refreshes == 1 ? "refresh" : "refreshes")"
            let calls = "\(run.calls) \(run.calls == 1 ? "call" : "calls")"
            texts.insert("\(refreshes), \(calls), \(run.elapsed)")
        }
        let start = processorSeconds()
        let interruptions = ProcessInfo.processInfo.environment["PREEMPTIONS"].flatMap(Int.init)
        let races = try explore(
            schedules: schedules, preemptions: interruptions ?? 0, body)
        let spent = processorSeconds() - start
        // How fast it was differs from run to run, and so stands beside the result.
        let speed = "\(Int(Double(races.schedules) / spent)) schedules a second of processor time\n"
        FileHandle.standardError.write(Data(speed.utf8))
        let found = races.findings.isEmpty ? ["no finding"] : races.findings.map { "✗ \($0.text)" }
        let line = """
            \(name), \(count) at once: \(texts.sorted().joined(separator: " or ")) \
            with \(seeds) seeds; \(races.schedules) schedules, \(found.joined(separator: ", "))
            """
        let isRight = races.findings.isEmpty && texts.allSatisfy { $0.hasPrefix("1 ") }
        return (line, isRight == (refreshesOnce || count == 1))
    }
}

extension RealClient {
    /// Says what so many worlds of one call leave in the process, and as many again.
    fileprivate func tellRemains(of worlds: Int) throws {
        let body = calls(1)
        // What the process makes once and keeps: classes, caches, the first pages of the heap.
        for seed in 0..<200 { _ = try simulate(seed: UInt64(seed), body) }
        var before = try Remains()
        for part in 1...2 {
            for seed in 0..<worlds { _ = try simulate(seed: UInt64(seed), body) }
            let after = try Remains()
            let line = """
                worlds \((part - 1) * worlds + 1) to \(part * worlds): \
                \((after.residentBytes - before.residentBytes) / 1_000) kB more, \
                \(after.descriptors - before.descriptors) descriptors more\n
                """
            FileHandle.standardError.write(Data(line.utf8))
            before = after
        }
    }
}

/// What a process holds.
private struct Remains {
    let residentBytes: Int
    let descriptors: Int

    init() throws {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            .split(separator: " ").compactMap { Int($0) }
        residentBytes = pages[1] * sysconf(Int32(_SC_PAGESIZE))
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}

/// How much processor time the process has used, on all its threads.
private func processorSeconds() -> Double { Double(clock()) / 1e6 }

/// What a refresh is answered.
public struct RefreshAnswer: Decodable, Sendable {
    /// The new access token.
    public let access_token: String
    /// The refresh token that takes the place of the one shown.
    public let refresh_token: String?
}
