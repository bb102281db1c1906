import Foundation
import Squall
import SquallKernel
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What a world leaves behind, and what it says when it fails")
struct LeavingTests {
    @Test("A world leaves no descriptor and next to no memory, in a process of its own")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            func play(_ count: Int) throws {
                for _ in 0..<count {
                    try simulate { world in
                        let far = world.mount(TokenService(.bearer, routes: []))
                        let session = URLSession(configuration: .default)
                        _ = try await session.data(from: far.url)
                    }
                }
            }
            useOneHeap()
            try play(20)
            let (kilobytes, open) = (residentKilobytes(), openDescriptors())
            try play(300)
            precondition(openDescriptors() <= open, "\(openDescriptors()) are open, not \(open)")
            let growth = residentKilobytes() - kilobytes
            precondition(growth < 300 * 8, "\(growth) kB more")
        }
    }

    @Test("An operation of the main queue that has not ended is in no later world's way")
    func mainOperations() throws {
        for _ in 0..<3 {
            try simulate { _ in
                let ran = Mutex(false)
                OperationQueue.main.addOperation { ran.withLock { $0 = true } }
                #expect(OperationQueue.main === OperationQueue.main)
                try await Task.sleep(for: .seconds(1))
                #expect(ran.withLock { $0 })
                // Goes on when its world is over.
                OperationQueue.main.addOperation { sleep(1_000) }
                try await Task.sleep(for: .seconds(1))
            }
        }
        let both = try explore(schedules: 300, threads: 2, mustSee: []) { world in
            let far = world.mount(TokenService(.bearer, routes: []))
            let session = URLSession(configuration: .default, delegate: nil, delegateQueue: .main)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let ended = DispatchGroup()
                        ended.enter()
                        session.dataTask(with: far.url) { _, _, _ in ended.leave() }.resume()
                        await withCheckedContinuation { done in
                            ended.notify(queue: .main) { done.resume() }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(both.findings.map(\.text) == [])
    }

    @Test("A cookie of a world is in no other one")
    func cookies() throws {
        for _ in 0..<2 {
            try simulate { world in
                let showsCookie = TokenRoute.get("/a") { call in
                    ServiceReply(
                        headers: [
                            ("Set-Cookie", "a=b; Path=/"), ("X", call.header("Cookie") ?? ""),
                        ]
                    )
                }
                let far = world.mount(TokenService(.bearer, routes: [showsCookie.withoutToken()]))
                let own = URLSession(configuration: .default)
                for (session, known) in [(own, ""), (own, "a=b"), (.shared, "a=b")] {
                    let (_, response) = try await session.data(from: far.url.appending(path: "a"))
                    let head = try #require(response as? HTTPURLResponse)
                    #expect(head.value(forHTTPHeaderField: "X") == known)
                }
                #expect(HTTPCookieStorage.shared.cookies?.map(\.value) == ["b"])
            }
        }
        #expect(HTTPCookieStorage.shared.cookies(for: URL(fileURLWithPath: "/"))?.isEmpty != false)
    }

    @Test("Code that is blocked for ever is found, and its stack is given back with its world")
    func deadlocks() async {
        await #expect(processExitsWith: .success) {
            func play(_ schedules: Int) throws {
                let found = try explore(schedules: schedules, threads: 2, mustSee: []) { _ in
                    let places = OperationQueue()
                    places.maxConcurrentOperationCount = 1
                    await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
                        places.addOperation {
                            let end = DispatchSemaphore(value: 0)
                            places.addOperation { end.signal() }
                            end.wait()
                            done.resume()
                        }
                    }
                }
                let texts = found.findings.map(\.text)
                precondition(texts.contains { $0.hasPrefix("hangs: ") }, "\(texts)")
            }
            useOneHeap()
            // Each time with two new threads.
            for _ in 0..<3 { try play(3) }
            let before = memoryMaps()
            for _ in 0..<10 { try play(20) }
            // A stack that stays is a map for each of the 200 schedules. Two threads that begin
            // before the last two are gone take four.
            precondition(memoryMaps() - before < 10, "\(memoryMaps() - before) maps more")
        }
    }

    @Test("A recursive lock belongs to one stack, also where three hundred are held")
    func manyLocks() throws {
        try simulate { world in
            let locks = (0..<300).map { _ in NSRecursiveLock() }
            let inside = Mutex(0)
            let group = DispatchGroup()
            for taken in [locks[...], locks.suffix(1)] {
                DispatchQueue(label: "\(taken.count) locks").async(group: group) {
                    for lock in taken { lock.lock() }
                    let count = inside.withLock { count in
                        count += 1
                        return count
                    }
                    world.expect(count == 1, "one is inside")
                    Thread.sleep(forTimeInterval: 1)
                    inside.withLock { $0 -= 1 }
                    for lock in taken { lock.unlock() }
                }
            }
            await withUnsafeContinuation { done in
                group.notify(queue: .global()) { done.resume() }
            }
        }
    }

    @Test("A killed app leaves no descriptor, in a process of its own")
    func killed() async {
        await #expect(processExitsWith: .success) {
            func play(_ schedules: Int) throws {
                _ = try drill(
                    over: drilledService, asking: [.killedDuringRefresh], schedules: schedules
                ) { carefulClient(on: $0) }
            }
            try play(2)
            let open = openDescriptors()
            try play(20)
            precondition(openDescriptors() <= open, "\(openDescriptors()) are open, not \(open)")
        }
    }

    @Test("Work that was ready when a world's body returned has run")
    func ready() throws {
        let isBusy = Mutex(false)
        for _ in 0..<3 {
            let wasBusy = isBusy.withLock { $0 }
            try simulate { _ in
                #expect(!wasBusy)
                let queue = DispatchQueue(label: "operations")
                isBusy.withLock { $0 = true }
                queue.async { queue.async { isBusy.withLock { $0 = false } } }
            }
        }
    }

    @Test("What a group that never empties would have begun is gone with its world")
    func notices() throws {
        let isGone = Mutex(false)
        try simulate { _ in
            let held = Held { isGone.withLock { $0 = true } }
            let group = DispatchGroup()
            group.enter()
            group.notify(queue: .global()) { withExtendedLifetime(held) {} }
        }
        #expect(isGone.withLock { $0 })
    }

    /// Tells when nothing holds it any more.
    private final class Held: Sendable {
        private let told: @Sendable () -> Void

        init(_ told: @escaping @Sendable () -> Void) { self.told = told }

        deinit { told() }
    }

    @Test("The log of a world of many days is in the order of its replies")
    func longLog() throws {
        let run = try simulate(for: .seconds(400_000)) { world in
            let far = world.mount(TokenService(.bearer, routes: [.get("/posts").withoutToken()]))
            try await Task.sleep(for: .seconds(3_600))
            _ = try await far.send("GET", "/posts")
            // 2⁴⁸ ns are 78.2 hours.
            try await Task.sleep(for: .seconds(280_000))
            _ = try await far.send("GET", "/posts")
        }
        let replied = run.log.map(\.replied)
        #expect(replied.count == 2 && replied[0] < replied[1])
    }

    @Test("The error of a failed world has its run and log, and names escapes first")
    func failure() throws {
        struct Broken: Error {}
        let failure = try #require(throws: WorldFailure.self) {
            try simulate { world in
                let far = world.mount(TokenService(.bearer, routes: []))
                _ = try await URLSession.shared.data(from: far.url)
                throw Broken()
            }
        }
        #expect(failure.cause is Broken)
        #expect(failure.run.calls == 1)
        let escaped = try #require(throws: WorldFailure.self) {
            try simulate { _ in
                let address = try #require(URL(string: "https://elsewhere.example/"))
                _ = try await URLSession.shared.data(from: address)
            }
        }
        #expect(escaped.cause is WorldError)
        #expect(escaped.description.contains("a request to (https://elsewhere.example)"))
    }
}

@Suite("Interleavings of several cores as choices of the schedule")
struct HopTests {
    private actor Cell {
        var value = 0
        func set(_ new: Int) { value = new }
    }

    /// Reads one actor, then another, while a task writes both; says what was read.
    private static func reads(seed: UInt64) throws -> [Int] {
        let log = Log()
        try simulate(schedule: RandomSchedule(seed: seed)) { _ in
            let (first, second) = (Cell(), Cell())
            let writer = Task {
                await first.set(1)
                await second.set(1)
            }
            let one = await first.value
            let other = await second.value
            log.note(one)
            log.note(other)
            await writer.value
        }
        return log.all
    }

    @Test("A hop between two actors that are free lets others run between")
    func hop() throws {
        let all = try Set((1...200).map { try Self.reads(seed: $0) })
        #expect(all == [[0, 0], [0, 1], [1, 1], [1, 0]], "\(all)")
    }

    @Test("First in, first out goes on at once, in simulate and in the first schedule")
    func inOrder() throws {
        let races = try explore(schedules: 1, threads: 1) { _ in
            let cell = Cell()
            await cell.set(1)
            let value = await cell.value
            #expect(value == 1)
        }
        #expect(races.findings.isEmpty)
    }

    @Test("A promise without evidence is not judged, unless no evidence is required")
    func unseen() throws {
        let races = try explore(schedules: 3, threads: 1) { _ in await Cell().set(1) }
        #expect(races.findings.isEmpty && !races.passed)
        #expect(races.notJudged.count == 1)
        #expect(races.description.contains(": no schedule shows a refresh"))
        #expect(races.description.contains("varied: the order of tasks"))
        let plain = try explore(schedules: 3, threads: 1, mustSee: []) { _ in await Cell().set(1) }
        #expect(plain.passed && plain.notJudged.isEmpty)
    }

    @Test("Task.yield, the start of an async let and a resumed continuation are choices")
    func others() throws {
        for kind in 0..<3 {
            let orders = try Set((1...40).map { try Self.order(of: kind, seed: $0) })
            #expect(orders.count == 2, "\(kind): \(orders)")
        }
    }

    private final class Log: Sendable {
        private let entries = Mutex<[Int]>([])

        func note(_ entry: Int) { entries.withLock { $0.append(entry) } }
        var all: [Int] { entries.withLock { $0 } }
    }

    private static func order(of kind: Int, seed: UInt64) throws -> [Int] {
        let log = Log()
        try simulate(schedule: RandomSchedule(seed: seed)) { _ in
            let other = Task { log.note(1) }
            switch kind {
            case 0: await Task.yield()
            case 1:
                async let child: Void = log.note(2)
                await child
            default:
                await withCheckedContinuation { done in
                    DispatchQueue.global().async { done.resume() }
                }
            }
            if kind != 1 { log.note(2) }
            await other.value
        }
        return log.all
    }
}

private func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

private func residentKilobytes() -> Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return pages.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4 } ?? 0
}

private func memoryMaps() -> Int {
    let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    return maps.map { $0.split(separator: "\n").count } ?? 0
}

/// Threads that allocate at the same time would get heaps, and so memory, of their own, which
/// depends on what else the machine does.
private func useOneHeap() {
    guard let address = dlsym(nil, "mallopt") else { return }
    typealias Mallopt = @convention(c) (_ option: CInt, _ value: CInt) -> CInt
    let mostArenas: CInt = -8
    _ = unsafeBitCast(address, to: Mallopt.self)(mostArenas, 1)
}
