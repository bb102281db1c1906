import Foundation
import Squall

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A small client that is right but for the fault of one public report.
actor ReportedClient {
    /// The faults, each in the words of its report.
    enum Fault: Sendable {
        case serialInterceptor, refreshRefreshes, outlivesSignOut, lockedIsEmpty, postsAgain
        case timerGoesOn, flagOnly, longLead, forbiddenExpires, emptyRepeat, usedUpStream
        case waitersGoOn, offlineSignsOut, slowRetries, oldTokenAgain, lifetimeOfBoth
        case loserErases, firstToken, storesOnce, memoryOnly, erasesNewer, fivePlaces
        case losesPage, otherFormOnly, shownAccount, signOutNeedsServer, endless401, firstAnswer
        case forbiddenSignsOut, timerOnly, dropsSlowRefresh, storesLater, leaksToken, keepsFound
    }

    struct Pair: Codable {
        var access: String
        var refresh: String
        var ends: Date
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }

    private let wire: TokenWire
    private let storage: DrillStorage
    private let fault: Fault?
    private var pair: Pair?
    private var hasRead = false, isUnstored = false, isRefreshing = false
    private var session = 0
    private var running: Task<Void, any Error>?
    private var firstAccess: String?
    private var account = 0
    /// The accounts that are signed in beside each other.
    private var accounts: Set<Int> = []
    private var places: Int
    private var queue: [CheckedContinuation<Void, Never>] = []

    init(_ device: DrillDevice, with fault: Fault?) {
        let session =
            fault == .leaksToken
            ? URLSession(
                configuration: device.sessionConfiguration, delegate: TokenForwarder(),
                delegateQueue: nil) : device.session
        wire = TokenWire(base: device.url, session: session)
        storage = device.storage
        self.fault = fault
        places = fault == .serialInterceptor ? 1 : 5
        hasRead = fault == .lockedIsEmpty
        account = storage["current"].flatMap(Int.init) ?? 0
        if let kept = try? Self.kept(on: storage, account: account, with: fault) {
            (pair, hasRead) = (kept, true)
        }
        if fault == .timerOnly { Task { await startTimer() } }
    }

    /// Begins anew to wait for a renewal, however old the token is.
    private func startTimer() { if let pair { renewLater(pair) } }

    var isSignedIn: Bool { pair != nil }

    private static func kept(
        on storage: DrillStorage, account: Int, with fault: Fault?
    ) throws -> Pair? {
        if let data = try storage.data(for: "pair \(account)") {
            return try JSONDecoder().decode(Pair.self, from: data)
        }
        guard fault != .otherFormOnly, let data = try storage.data(for: "tokens") else {
            return nil
        }
        let parts = String(decoding: data, as: UTF8.self).split(separator: " ").map(String.init)
        return Pair(access: parts[0], refresh: parts[1], ends: .distantFuture)
    }

    private func keep(_ new: Pair?) {
        pair = new
        if fault == .storesLater, new != nil {
            Task {
                try await Task.sleep(for: .seconds(5))
                try store(new, account)
            }
            return
        }
        do {
            try store(new, account)
            if new == nil { try storage.set(nil, for: "tokens") }
            isUnstored = false
        } catch { isUnstored = fault != .storesOnce }
    }

    private func store(_ new: Pair?, _ account: Int) throws {
        try storage.set(try new.map { try JSONEncoder().encode($0) }, for: "pair \(account)")
    }

    private func newer(than old: Pair) -> Pair? {
        guard fault != .memoryOnly, !isUnstored,
            let kept = try? Self.kept(on: storage, account: account, with: fault),
            kept.access != old.access
        else { return nil }
        return kept
    }

    func signIn(_ person: DrillPerson) async throws {
        if fault == .keepsFound, pair != nil { return }
        let grant = try await wire.signIn(person.email, person.password)
        session += 1
        (running, account, hasRead) = (nil, person.account, true)
        storage["current"] = "\(account)"
        keep(made(grant, nil))
        firstAccess = firstAccess ?? pair?.access
        if fault == .timerGoesOn, let pair { renewLater(pair) }
    }

    func signInAsEarlier(_ person: DrillPerson) async throws {
        let grant = try await wire.signIn(person.email, person.password)
        try storage.set(Data("\(grant.access) \(grant.refresh ?? "")".utf8), for: "tokens")
    }

    private func renewLater(_ old: Pair) {
        Task {
            try await Task.sleep(for: .seconds(240))
            let new = made(try await wire.refresh(old.refresh), old)
            keep(new)
            renewLater(new)
        }
    }

    func signOut() async throws {
        if fault == .signOutNeedsServer { _ = try await wire.get("profile", pair?.access) }
        if fault != .outlivesSignOut { session += 1 }
        running = nil
        keep(nil)
    }

    func switchTo(_ person: DrillPerson) async throws {
        session += 1
        accounts.formUnion([account, person.account])
        (running, account) = (nil, person.account)
        pair = try Self.kept(on: storage, account: account, with: fault)
        if pair == nil { try await signIn(person) }
    }

    func connect() async throws {
        guard fault == .firstToken else { return _ = try await call("profile") }
        let status = try await wire.get("profile", firstAccess)
        guard status == 200 else { throw Failure(description: "\(status)") }
    }

    func list() async throws -> [String] {
        var items: [String] = []
        for page in 0..<3 {
            let (text, isRepeat) = try await answered("GET", "items/\(page)", nil)
            if fault == .losesPage, isRepeat { continue }
            items += text.split(separator: ",").map(String.init)
        }
        return items
    }

    @discardableResult
    func call(_ path: String) async throws -> String { try await answered("GET", path, nil).text }

    func write() async throws { _ = try await answered("POST", "posts", #"{"text": "hello"}"#) }

    private func answered(
        _ method: String, _ path: String, _ body: String?
    ) async throws -> (text: String, isRepeat: Bool) {
        catchUp()
        try await take()
        defer { give() }
        let mine = session
        var first: String?
        for attempt in 0..<(fault == .endless401 ? 1_000 : 2) {
            if isDue { try await goOn { try await self.fresh(insteadOf: self.pair?.access ?? "") } }
            guard let access = pair?.access, mine == session || fault == .outlivesSignOut else {
                throw Failure(description: "signed out")
            }
            let token = fault == .oldTokenAgain ? first ?? access : access
            let isEmpty = attempt > 0 && [.emptyRepeat, .usedUpStream].contains(fault)
            let answer = try await sent(method, path, token, isEmpty ? "" : body)
            if (200...201).contains(answer.status) {
                return (fault == .firstAnswer && attempt > 0 ? "" : answer.text, attempt > 0)
            }
            if answer.status == 403, fault == .forbiddenSignsOut { keep(nil) }
            if answer.status == 401, fault == .timerOnly { keep(nil) }
            let isExpiry =
                answer.status == 401 || fault == .forbiddenExpires && answer.status == 403
            guard isExpiry, attempt == 0 || fault == .endless401 else {
                throw Failure(description: "\(answer.status)")
            }
            first = token
            try await goOn { try await self.fresh(insteadOf: token) }
        }
        throw Failure(description: "401")
    }

    private func goOn(after refresh: () async throws -> Void) async throws {
        do { try await refresh() } catch { if fault != .waitersGoOn { throw error } }
    }

    private func catchUp() {
        if !hasRead, let kept = try? Self.kept(on: storage, account: account, with: fault) {
            (pair, hasRead) = (kept, true)
        }
        if isUnstored { keep(pair) }
    }

    /// Whether the clock says that the token is to be refreshed before it is sent.
    private var isDue: Bool {
        guard let ends = pair?.ends else { return false }
        if fault == .longLead { return Date() > ends.addingTimeInterval(-120) }
        return [.waitersGoOn, .offlineSignsOut].contains(fault) && Date() > ends
    }

    private func sent(
        _ method: String, _ path: String, _ token: String, _ body: String?
    ) async throws -> (status: Int, text: String) {
        do { return try await wire.send(method, path, token, body) } catch {
            guard fault == .postsAgain else { throw error }
            return try await wire.send(method, path, token, body)
        }
    }

    private func take() async throws {
        guard [.fivePlaces, .serialInterceptor].contains(fault) else { return }
        if places == 0 { await withCheckedContinuation { queue.append($0) } } else { places -= 1 }
    }

    private func give() {
        if queue.isEmpty { places += 1 } else { queue.removeFirst().resume() }
    }

    private func fresh(insteadOf refused: String) async throws {
        if fault == .flagOnly, isRefreshing { return }
        if let running, fault == .dropsSlowRefresh {
            return try await firstOf(running, after: .seconds(10))
        }
        if let running, fault != .loserErases { return try await running.value }
        guard let old = pair else { throw Failure(description: "signed out") }
        if old.access != refused { return }
        if let newer = newer(than: old) { return pair = newer }
        let mine = session
        isRefreshing = true
        let task = Task { try await renew(old, mine) }
        running = task
        defer { if mine == session { (running, isRefreshing) = (nil, false) } }
        if fault == .dropsSlowRefresh { return try await firstOf(task, after: .seconds(10)) }
        try await task.value
    }

    /// Waits for a refresh for a while, and then fails without it.
    private func firstOf(_ task: Task<Void, any Error>, after span: Duration) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        Task {
            _ = await task.result
            end.yield(true)
        }
        Task {
            try await Task.sleep(for: span)
            end.yield(false)
        }
        for await isDone in ends {
            guard isDone else { throw Failure(description: "the background time is over") }
            return try await task.value
        }
    }

    private func renew(_ old: Pair, _ mine: Int) async throws {
        try await take()
        defer { give() }
        do {
            let owner = account
            let new = made(try await exchange(old), old)
            if mine != session, ![.outlivesSignOut, .shownAccount].contains(fault) {
                if accounts.contains(owner) { try store(new, owner) }
                throw Failure(description: "another session")
            }
            keep(new)
            if fault == .lifetimeOfBoth { expireLater(new) }
        } catch TokenWire.Failure.signedOut {
            if fault != .erasesNewer, fault != .loserErases, let newer = newer(than: old) {
                return pair = newer
            }
            if mine == session { keep(nil) }
            throw TokenWire.Failure.signedOut
        } catch {
            if fault == .offlineSignsOut, error is URLError { keep(nil) }
            throw error
        }
    }

    private func expireLater(_ new: Pair) {
        Task {
            try await Task.sleep(for: .seconds(300))
            if pair?.refresh == new.refresh { keep(nil) }
        }
    }

    private func exchange(_ old: Pair) async throws -> TokenWire.Grant {
        for attempt in 0... {
            do { return try await wire.refresh(old.refresh) } catch TokenWire.Failure.status(401)
                where fault == .refreshRefreshes
            { continue } catch TokenWire.Failure.status(503)
                where fault == .slowRetries && attempt < 7
            { try await Task.sleep(for: .seconds(20)) }
        }
        throw TokenWire.Failure.signedOut
    }

    private func made(_ grant: TokenWire.Grant, _ old: Pair?) -> Pair {
        Pair(
            access: grant.access, refresh: grant.refresh ?? old?.refresh ?? "",
            ends: Date().addingTimeInterval(grant.lifetime ?? 300))
    }
}

/// Sets the token again wherever a redirect leads.
private final class TokenForwarder: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection _: HTTPURLResponse, newRequest: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        var next = newRequest
        let token = task.originalRequest?.value(forHTTPHeaderField: "Authorization")
        next.setValue(token, forHTTPHeaderField: "Authorization")
        completionHandler(next)
    }
}
