import CSockets

/// Waits for the sockets of a server and of clients together, on the thread that calls it.
///
/// Each of them takes what is ready of its own; a program waits once for all:
///
/// ```swift
/// watch.wait(nanoseconds: 100_000_000)
/// server.enter(at: now) { … }
/// client.enter(at: now)
/// server.send(at: now)
/// ```
public final class SocketWatch {
    /// Tells the sockets of one owner from those of others.
    struct Owner: Hashable {
        let number: UInt8
    }

    private let watch: OpaquePointer
    private var ready = [squall_ready](repeating: squall_ready(), count: SocketWatch.batch)
    private var readyCount = 0
    /// The owner of each file, by the number of the file; 0 for none.
    private var owners: [UInt8] = []
    private var ownerCount: UInt8 = 0
    private var hasWork = false

    /// The number of sockets that are told of at once.
    static let batch = 32

    /// A watch of no socket.
    ///
    /// - Throws: ``SocketServer/Problem``.
    public init() throws(SocketServer.Problem) {
        squall_raise_file_limit()
        squall_exact_timers()
        guard let watch = squall_watch_create() else {
            throw SocketServer.Problem(action: "watch sockets", number: 0)
        }
        self.watch = watch
    }

    deinit { squall_watch_free(watch) }

    /// Comes back when a socket is ready, or after this long.
    public func wait(nanoseconds: Int64) {
        let span = hasWork ? 0 : max(0, nanoseconds)
        hasWork = false
        readyCount = Int(squall_watch_wait(watch, span, &ready, Int32(ready.count)))
    }

    /// True if the last wait found a socket that is ready.
    var hasReady: Bool { readyCount > 0 }

    /// Lets the next wait come back at once.
    func hurry() { hasWork = true }

    func addOwner() -> Owner {
        ownerCount += 1
        return Owner(number: ownerCount)
    }

    /// Watches a new file for events.
    func add(_ file: Int32, for events: Int, of owner: Owner) {
        while owners.count <= Int(file) { owners.append(0) }
        owners[Int(file)] = owner.number
        squall_watch_set(watch, file, UInt32(events), 1)
    }

    func change(_ file: Int32, to events: UInt32) { squall_watch_set(watch, file, events, 0) }

    /// Must be called before a watched file is closed.
    func remove(_ file: Int32) {
        owners[Int(file)] = 0
        squall_watch_remove(watch, file)
    }

    /// Takes what is ready of an owner's files; each once, so that a file that is closed and opened
    /// again meanwhile is not taken for the old one.
    func takeReady(of owner: Owner, _ take: (_ file: Int32, _ events: Int) -> Void) {
        for index in 0..<max(0, readyCount) {
            let (file, events) = (ready[index].file, ready[index].events)
            guard file >= 0, owners[Int(file)] == owner.number else { continue }
            ready[index].file = -1
            take(file, Int(events))
        }
    }
}

extension SocketServer {
    /// Names the client of a request, as long as it waits for the response.
    public struct Client: Hashable, Sendable {
        let file: Int32
        let serial: UInt64

        /// Tells its connection from all others.
        public var connection: UInt64 { serial }
    }

    /// Sockets cannot be used.
    public struct Problem: Error, Hashable, Sendable {
        /// The action that failed.
        public let action: String
        /// The system's number of the error.
        public let number: Int32

        /// A problem of its parts; the number is 0 where the action says everything.
        public init(action: String, number: Int32) {
            (self.action, self.number) = (action, number)
        }
    }
}
