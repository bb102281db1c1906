import Foundation
import Squall

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client that keeps every promise, in one of the styles that apps are written in.
final class RightClient: @unchecked Sendable {
    // Safe because its state is touched with the lock only.

    enum Style: String, CaseIterable, Sendable {
        /// One lock, and a task for the refresh that is under way.
        case lock
        /// A blocking semaphore instead of the lock.
        case semaphore
        /// Refreshes are wishes in a stream, which one task fulfils.
        case stream
        /// Whoever needs a token subscribes to the next one, as to a publisher.
        case pipeline
        /// It renews by a timer before the token ends.
        case timer
        /// It renews before a call when the token ends soon.
        case lead
        /// Calls wait for a refresh that is under way before they are sent.
        case gate
        /// Tokens come over a session of their own.
        case twoSessions
        /// At most five calls are under way.
        case pool
    }

    struct Tokens: Codable, Sendable {
        var access: String
        var refresh: String
        var end: Date
    }

    enum Failure: Error { case status(Int), signedOut, later }

    let style: Style
    private let wire: RightWire
    private let storage: DrillStorage
    private let lock = NSLock()
    private let semaphore = DispatchSemaphore(value: 1)
    private let places = Places(5)
    private let wishes: AsyncStream<(String, CheckedContinuation<Void, any Error>)>.Continuation
    private var tokens: Tokens?
    /// Whether the storage could be read, or need not be any more.
    private var hasRead = false
    /// Whether the storage lacks the newest tokens.
    private var isUnsaved = false
    /// Grows with each sign-in and sign-out.
    private var number = 0
    private var running: Task<Void, any Error>?
    private var subscribers: [CheckedContinuation<Void, any Error>]?
    private var timer: Task<Void, Never>?
    private var notBefore = Date.distantPast

    init(_ style: Style, on device: DrillDevice) {
        self.style = style
        storage = device.storage
        let tokenSession =
            style == .twoSessions
            ? URLSession(configuration: device.sessionConfiguration) : device.session
        wire = RightWire(base: device.url, session: device.session, tokenSession: tokenSession)
        let (stream, wishes) = AsyncStream.makeStream(
            of: (String, CheckedContinuation<Void, any Error>).self)
        self.wishes = wishes
        if style == .stream {
            Task { [weak self] in
                for await (refused, done) in stream {
                    guard let self else { return done.resume(throwing: CancellationError()) }
                    do { done.resume(returning: try await joined(insteadOf: refused)) } catch {
                        done.resume(throwing: error)
                    }
                }
            }
        }
        settle()
    }

    deinit { wishes.finish() }

    private func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        if style == .semaphore {
            semaphore.wait()
            defer { semaphore.signal() }
            return try body()
        }
        return try lock.withLock(body)
    }

    var isSignedIn: Bool {
        settle()
        return locked { tokens != nil }
    }

    /// Reads what is stored, and stores what is new, where the keychain was locked before.
    private func settle() {
        let found: Tokens? = locked {
            if isUnsaved { save() }
            guard !hasRead else { return nil }
            do {
                tokens = try storage.data(for: "tokens").flatMap {
                    try? JSONDecoder().decode(Tokens.self, from: $0)
                }
                hasRead = true
            } catch {}
            return tokens
        }
        if let found { plan(found) }
    }

    /// Under the lock.
    private func save() {
        do {
            try storage.set(tokens.flatMap { try? JSONEncoder().encode($0) }, for: "tokens")
            isUnsaved = false
        } catch { isUnsaved = true }
    }

    func signIn(_ name: String, _ password: String) async throws {
        let new = try await wire.grant(
            "grant_type=password&username=\(name)&password=\(password)", nil)
        replace(new, asNewSession: true)
    }

    func signOut() async {
        let old = locked { tokens }
        replace(nil, asNewSession: true)
        if let old { _ = try? await wire.revoke(old.refresh) }
    }

    private func replace(_ new: Tokens?, asNewSession isNew: Bool) {
        let waiting = locked {
            (tokens, hasRead) = (new, true)
            if isNew {
                number += 1
                running = nil
                notBefore = .distantPast
            }
            timer?.cancel()
            save()
            defer { if isNew { subscribers = nil } }
            return isNew ? subscribers ?? [] : []
        }
        for one in waiting { one.resume(throwing: Failure.signedOut) }
        if let new { plan(new) }
    }

    private func plan(_ current: Tokens) {
        guard style == .timer else { return }
        let span = max(5, current.end.timeIntervalSinceNow - 60)
        let next = Task { [weak self] in
            guard (try? await Task.sleep(for: .seconds(span))) != nil else { return }
            try? await self?.renewed(insteadOf: current.access)
        }
        locked { timer = next }
    }

    func call(_ method: String, _ path: String) async throws {
        try await style == .pool
            ? places.use { try await self.attempted(method, path) } : attempted(method, path)
    }

    private func attempted(_ method: String, _ path: String) async throws {
        settle()
        let (session, gate) = locked { (number, running) }
        if style == .gate { _ = try? await gate?.value }
        guard var current = locked({ session == number ? tokens : nil }) else {
            throw Failure.signedOut
        }
        if style == .lead, abs(current.end.timeIntervalSinceNow) < 30 {
            try await renewed(insteadOf: current.access)
            current = locked { session == number ? tokens : nil } ?? current
        }
        for isLast in [false, true] {
            guard locked({ session == number }) else { throw Failure.signedOut }
            let status = try await wire.send(method, path, current.access)
            if (200..<300).contains(status) { return }
            guard status == 401, !isLast else { throw Failure.status(status) }
            guard locked({ session == number }) else { throw Failure.signedOut }
            try await renewed(insteadOf: current.access)
            guard let next = locked({ session == number ? tokens : nil }) else {
                throw Failure.signedOut
            }
            current = next
        }
    }

    func refresh() async throws {
        guard let current = locked({ tokens }) else { throw Failure.signedOut }
        try await renewed(insteadOf: current.access)
    }

    private func renewed(insteadOf refused: String) async throws {
        switch style {
        case .stream:
            try await withCheckedThrowingContinuation { wish in
                if case .terminated = wishes.yield((refused, wish)) {
                    wish.resume(throwing: CancellationError())
                }
            }
        case .pipeline: try await subscribed(insteadOf: refused)
        default: try await joined(insteadOf: refused)
        }
    }

    /// Waits for the refresh that is under way, or begins one.
    private func joined(insteadOf refused: String) async throws {
        let task: Task<Void, any Error>? = try locked {
            if let running { return running }
            guard let old = tokens else { throw Failure.signedOut }
            guard old.access == refused else { return nil }
            guard Date() >= notBefore else { throw Failure.later }
            let session = number
            let task = Task { try await exchange(old, session) }
            running = task
            return task
        }
        try await task?.value
    }

    /// Waits for the next value of the refresh that is under way, or begins one.
    private func subscribed(insteadOf refused: String) async throws {
        try await withCheckedThrowingContinuation {
            (next: CheckedContinuation<Void, any Error>) in
            let error: (any Error)?? = locked {
                if subscribers != nil {
                    subscribers?.append(next)
                    return .none
                }
                guard let old = tokens else { return .some(Failure.signedOut) }
                guard old.access == refused else { return .some(nil) }
                guard Date() >= notBefore else { return .some(Failure.later) }
                subscribers = [next]
                let session = number
                Task { publish(await Task { try await exchange(old, session) }.result, session) }
                return .none
            }
            if let error { next.resume(with: error.map { .failure($0) } ?? .success(())) }
        }
    }

    private func publish(_ result: Result<Void, any Error>, _ session: Int) {
        let all = locked {
            guard session == number else { return [CheckedContinuation<Void, any Error>]() }
            defer { subscribers = nil }
            return subscribers ?? []
        }
        for one in all { one.resume(with: result) }
    }

    private func exchange(_ old: Tokens, _ session: Int) async throws {
        defer { locked { if session == number { running = nil } } }
        // The task may begin after a sign-out.
        guard locked({ session == number }) else { throw Failure.signedOut }
        do {
            let new = try await wire.grant(
                "grant_type=refresh_token&refresh_token=\(old.refresh)", old.refresh)
            guard locked({ session == number }) else { throw Failure.signedOut }
            replace(new, asNewSession: false)
        } catch let pause as RightWire.Pause {
            locked { if session == number { notBefore = Date().addingTimeInterval(pause.seconds) } }
            throw Failure.later
        } catch Failure.signedOut {
            if locked({ session == number }) { replace(nil, asNewSession: false) }
            throw Failure.signedOut
        }
    }
}

/// The requests of the right clients.
struct RightWire: Sendable {
    let base: URL
    let session: URLSession
    let tokenSession: URLSession

    /// A moment that the server has named.
    struct Pause: Error { let seconds: Double }

    func grant(_ form: String, _ kept: String?) async throws -> RightClient.Tokens {
        let (data, response) = try await post("oauth/token", form)
        switch response?.statusCode {
        case 200: break
        case 400, 401, 403: throw RightClient.Failure.signedOut
        default:
            let pause = response?.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init)
            if let pause { throw Pause(seconds: pause) }
            throw RightClient.Failure.status(response?.statusCode ?? 0)
        }
        let grant = try JSONDecoder().decode(TokenWire.Grant.self, from: data)
        return RightClient.Tokens(
            access: grant.access, refresh: grant.refresh ?? kept ?? "",
            end: Date().addingTimeInterval(grant.lifetime ?? 0))
    }

    func revoke(_ token: String) async throws -> Int? {
        try await post("oauth/revoke", "token=\(token)").1?.statusCode
    }

    func send(_ method: String, _ path: String, _ token: String) async throws -> Int {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.httpMethod = method
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        if method == "POST" { request.httpBody = Data("{}".utf8) }
        let (_, response) = try await session.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }

    private func post(_ path: String, _ form: String) async throws -> (Data, HTTPURLResponse?) {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(form.utf8)
        let (data, response) = try await tokenSession.data(for: request)
        return (data, response as? HTTPURLResponse)
    }
}

/// A few places for calls; refreshes need none.
private actor Places {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func use(_ body: @Sendable () async throws -> Void) async throws {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
        try await body()
    }
}

/// A right client as drills use it.
@Sendable func rightClient(_ style: RightClient.Style, on device: DrillDevice) -> DrillClient {
    rightClient(RightClient(style, on: device))
}

func rightClient(_ api: RightClient) -> DrillClient {
    DrillClient(
        signIn: { try await api.signIn($0.email, $0.password) },
        call: { try await api.call("GET", "posts") },
        otherCalls: [{ try await api.call("GET", "profile") }],
        write: { try await api.call("POST", "posts") }, refresh: { try await api.refresh() },
        signOut: { await api.signOut() }, isSignedIn: { api.isSignedIn })
}
