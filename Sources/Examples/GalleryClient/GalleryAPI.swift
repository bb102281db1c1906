public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A client for pictures and their comments, with completion handlers, queues and a lock: ordinary
/// code from before `async`, which knows no simulation.
public final class GalleryAPI: @unchecked Sendable {
    // Safe because the lock guards the token, and the queue guards the journal.

    /// Gets the result of a call.
    public typealias Completion = @Sendable (Result<Data, any Error>) -> Void

    private let base: URL
    private let session: URLSession
    private let lock = NSLock()
    private var token: String
    private let refresh: String
    private let journalQueue = DispatchQueue(label: "gallery.journal")
    private var lines: [String] = []
    private let downloads = OperationQueue()
    private let retriesMax = 3

    /// A client with the tokens of a sign-in.
    public init(base: URL, session: URLSession, access: String, refresh: String) {
        self.base = base
        self.session = session
        token = access
        self.refresh = refresh
        downloads.maxConcurrentOperationCount = 2
    }

    /// Gets a resource; each call refreshes an expired token itself, and asks a server that fails
    /// again a second later.
    public func get(_ path: String, completion: @escaping Completion) {
        get(path, retries: 0, completion)
    }

    /// Gets pictures, two at a time, and reports when all have arrived.
    public func pictures(_ names: [String], completion: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        let count = Counter()
        for name in names {
            group.enter()
            downloads.addOperation { [self] in
                let gate = DispatchSemaphore(value: 0)
                get("pictures/\(name)") { result in
                    if case .success = result { count.add() }
                    gate.signal()
                }
                gate.wait()
                group.leave()
            }
        }
        group.notify(queue: .main) { completion(count.value) }
    }

    /// The notes so far, in order.
    public var journal: [String] { journalQueue.sync { lines } }

    private func get(_ path: String, retries: Int, _ completion: @escaping Completion) {
        note("get \(path)")
        send(path, [("Authorization", lock.withLock { token })]) { [self] data, status in
            switch status {
            case 200: completion(.success(data))
            case 419 where retries < retriesMax:
                renew { [self] isRenewed in
                    guard isRenewed else { return completion(.failure(GalleryError.signedOut)) }
                    get(path, retries: retries + 1, completion)
                }
            case 500... where retries < retriesMax:
                DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [self] in
                    get(path, retries: retries + 1, completion)
                }
            default: completion(.failure(GalleryError.status(status)))
            }
        }
    }

    private func renew(_ completion: @escaping @Sendable (Bool) -> Void) {
        note("refresh")
        let fields = [("Authorization", lock.withLock { token }), ("Refresh", refresh)]
        send("v1/auth/refresh", fields) { [self] data, status in
            let answer = try? JSONDecoder().decode([String: String].self, from: data)
            guard status == 200, let fresh = answer?["accessToken"] else {
                return completion(false)
            }
            lock.withLock { token = fresh }
            completion(true)
        }
    }

    private func send(
        _ path: String, _ fields: [(String, String)],
        _ completion: @escaping @Sendable (Data, Int) -> Void
    ) {
        var request = URLRequest(url: base.appendingPathComponent(path))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        session.dataTask(with: request) { data, response, _ in
            completion(data ?? Data(), (response as? HTTPURLResponse)?.statusCode ?? 0)
        }.resume()
    }

    private func note(_ line: String) { journalQueue.async { [self] in lines.append(line) } }
}

/// A failed call.
public enum GalleryError: Error, Hashable {
    /// The session is over.
    case signedOut
    /// The server answered with this status.
    case status(Int)
}

private final class Counter: @unchecked Sendable {
    // Safe because the lock guards the number.

    private let lock = NSLock()
    private var number = 0

    var value: Int { lock.withLock { number } }

    func add() { lock.withLock { number += 1 } }
}
