import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client that keeps every promise of the drills, but for the rules that are taken out of it.
actor CarefulClient {
    /// What a careful client sticks to; a mutant lacks one of them.
    enum Rule: String, CaseIterable {
        /// Calls that need a refresh wait for the one that is under way.
        case oneRefreshAtATime
        /// A refusal of a token that was replaced meanwhile is no reason to refresh.
        case looksAgain
        /// A refused call is sent again after the refresh.
        case repeats
        /// It is sent again once.
        case repeatsOnce
        /// The new refresh token takes the place of the old one.
        case keepsNewRefreshToken
        /// Where none comes, the old one stays.
        case keepsOldRefreshToken
        /// A refresh that failed is not the one under way any more.
        case forgetsFailedRefresh
        /// A refusal of the refresh token ends the session.
        case endsRefusedSession
        /// Nothing else does.
        case endsNothingElse
        /// What a refresh of another session brings is dropped.
        case dropsOthersAnswers
        /// A call of another session is not sent again.
        case dropsOthersCalls
        /// A sign-out forgets the session here.
        case signOutForgets
        /// And in the storage.
        case signOutErases
        /// New tokens are stored.
        case storesTokens
        /// A storage that fails costs nothing but the storing.
        case survivesStorage
        /// A refresh goes on when whoever asked for it first is cancelled.
        case refreshOutlivesCaller
        /// Until the moment that the server named nothing is refreshed.
        case heedsRetryAfter
        /// A write whose answer is lost is not sent again.
        case writesOnce
        /// A session of before is found in the storage.
        case startsFromStorage
        /// They are stored before a call is sent with them.
        case storesBeforeUse
        /// A storage that could not be read at the start is read later.
        case readsAgain
        /// What could not be stored is stored with the next call.
        case storesAgain
        /// Before a refresh it looks what another process has stored.
        case looksInStorage
        /// Only a 401 is an expiry.
        case expiryIs401
        /// A call that waited for a refresh that failed is not sent.
        case waitersFail
        /// It is sent again with the token of the refresh.
        case repeatsWithNewToken
        /// And with its body.
        case repeatsBody
        /// One that is refused again has failed.
        case failsWhenRefusedAgain
        /// The tokens of a sign-in are stored, too.
        case storesSignIn
        /// A sign-out needs no network.
        case signsOutOffline
    }

    /// Why there is nothing to show.
    enum Failure: Error { case status(Int), signedOut, anotherSession, later }

    struct Tokens: Codable {
        var access: String
        var refresh: String
    }

    private let base: URL
    private let network: URLSession
    private let storage: any KeptTokens
    private let missing: Rule?
    private var tokens: Tokens?
    /// Whether the storage has told what it has; whether it lacks the newest tokens.
    private var hasRead = false, isUnstored = false
    /// Grows with each sign-in and sign-out.
    private var sessionNumber = 0
    private var running: (session: Int, task: Task<Void, any Error>)?
    private var notBefore = Date.distantPast

    init(base: URL, network: URLSession, storage: any KeptTokens, without missing: Rule? = nil) {
        self.base = base
        self.network = network
        self.storage = storage
        self.missing = missing
        hasRead = [.readsAgain, .startsFromStorage].contains(missing)
        if missing != .startsFromStorage, let kept = try? storage.load() {
            (tokens, hasRead) = (kept, true)
        }
    }

    /// Does what a locked storage did not let it do before.
    private func catchUp() {
        if !hasRead, let kept = try? storage.load() { (tokens, hasRead) = (kept, true) }
        if isUnstored, has(.storesAgain) { try? replace(tokens) }
    }

    private func has(_ rule: Rule) -> Bool { rule != missing }

    var isSignedIn: Bool { tokens != nil }

    func signIn(_ name: String, _ password: String) async throws {
        let fields = "grant_type=password&username=\(name)&password=\(password)"
        let (data, response) = try await post("oauth/token", fields)
        guard response.statusCode == 200 else { throw Failure.status(response.statusCode) }
        let grant = try JSONDecoder().decode(Grant.self, from: data)
        sessionNumber += 1
        running = nil
        (notBefore, hasRead) = (.distantPast, true)
        let new = Tokens(access: grant.access, refresh: grant.refresh ?? "")
        guard has(.storesSignIn) else { return tokens = new }
        try replace(new)
    }

    func signOut() async throws {
        let old = tokens
        if !has(.signsOutOffline), let old {
            _ = try await post("oauth/revoke", "token=\(old.refresh)")
        }
        if has(.signOutForgets) {
            tokens = nil
            sessionNumber += 1
            running = nil
        }
        if has(.signOutErases) { try? storage.save(nil) }
        if has(.signsOutOffline), let old {
            _ = try? await post("oauth/revoke", "token=\(old.refresh)")
        }
    }

    func get(_ path: String) async throws -> Data { try await call("GET", path) }

    func post(_ path: String) async throws -> Data { try await call("POST", path) }

    /// What another process may have stored, if that is not what this one has.
    private var others: Tokens? {
        guard !isUnstored, has(.looksInStorage), let kept = try? storage.load() else { return nil }
        return kept.refresh == tokens?.refresh && kept.access == tokens?.access ? nil : kept
    }

    private func call(_ method: String, _ path: String) async throws -> Data {
        let session = sessionNumber
        var (repeats, first) = (0, String?.none)
        catchUp()
        while true {
            guard let newest = tokens?.access else { throw Failure.signedOut }
            let token = has(.repeatsWithNewToken) ? newest : first ?? newest
            first = token
            if has(.dropsOthersCalls), session != sessionNumber { throw Failure.anotherSession }
            let (data, status) = try await send(
                method, path, token, hasBody: repeats == 0 || has(.repeatsBody))
            if status == 200 || status == 201 { return data }
            if status == 401, repeats > 0, !has(.failsWhenRefusedAgain) { return data }
            let isExpiry = status == 401 || status == 403 && !has(.expiryIs401)
            guard isExpiry, has(.repeats), repeats == 0 || !has(.repeatsOnce) else {
                throw Failure.status(status)
            }
            repeats += 1
            if has(.dropsOthersCalls), session != sessionNumber { throw Failure.anotherSession }
            do { try await freshToken(insteadOf: token) } catch {
                if has(.waitersFail) { throw error }
            }
        }
    }

    private func send(
        _ method: String, _ path: String, _ token: String, hasBody: Bool
    ) async throws -> (Data, Int) {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.httpMethod = method
        if method == "POST", hasBody { request.httpBody = Data(#"{"text": "hello"}"#.utf8) }
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        do {
            let (data, response) = try await network.data(for: request)
            return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
        } catch {
            guard method == "POST", !has(.writesOnce) else { throw error }
            let (data, response) = try await network.data(for: request)
            return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
        }
    }

    /// What an app does when it comes to the front.
    func refresh() async throws {
        guard let token = tokens?.access else { throw Failure.signedOut }
        try await freshToken(insteadOf: token)
    }

    private func freshToken(insteadOf refused: String) async throws {
        if has(.oneRefreshAtATime), let running { return try await running.task.value }
        if has(.looksAgain), let token = tokens?.access, token != refused { return }
        if has(.heedsRetryAfter), Date() < notBefore { throw Failure.later }
        guard let tokens else { throw Failure.signedOut }
        if let others { return self.tokens = others }
        let session = sessionNumber
        guard has(.refreshOutlivesCaller) else {
            return try await renew(tokens, of: session)
        }
        let task = Task { try await renew(tokens, of: session) }
        running = (session, task)
        do {
            try await task.value
            if running?.session == session { running = nil }
        } catch {
            if running?.session == session, has(.forgetsFailedRefresh) { running = nil }
            throw error
        }
    }

    private func renew(_ old: Tokens, of session: Int) async throws {
        if missing == .refreshOutlivesCaller {
            let (data, response) = try await post("oauth/token", form(old))
            return try take(data, response, old)
        }
        let (data, response) = try await post("oauth/token", form(old))
        if has(.dropsOthersAnswers), session != sessionNumber { throw Failure.anotherSession }
        try take(data, response, old)
    }

    private func form(_ tokens: Tokens) -> String {
        "grant_type=refresh_token&refresh_token=\(tokens.refresh)"
    }

    private func take(_ data: Data, _ response: HTTPURLResponse, _ old: Tokens) throws {
        switch response.statusCode {
        case 200: break
        case 400, 401, 403:
            if let others { return tokens = others }
            if has(.endsRefusedSession) { try replace(nil) }
            throw Failure.signedOut
        default:
            let pause = response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init)
            notBefore = Date().addingTimeInterval(pause ?? 0)
            if !has(.endsNothingElse) { try replace(nil) }
            throw Failure.status(response.statusCode)
        }
        let grant = try JSONDecoder().decode(Grant.self, from: data)
        let kept = has(.keepsOldRefreshToken) ? old.refresh : ""
        var new = Tokens(access: grant.access, refresh: grant.refresh ?? kept)
        if !has(.keepsNewRefreshToken) { new.refresh = old.refresh }
        guard has(.storesTokens) else { return tokens = new }
        guard has(.storesBeforeUse) else {
            tokens = new
            Task { [new] in
                try await Task.sleep(for: .seconds(1))
                try storage.save(new)
            }
            return
        }
        try replace(new)
    }

    private func replace(_ new: Tokens?) throws {
        if !has(.survivesStorage) { try storage.save(new) }
        tokens = new
        isUnstored = (try? storage.save(new)) == nil
    }

    private func post(_ path: String, _ fields: String) async throws -> (Data, HTTPURLResponse) {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.setValue(
            "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(fields.utf8)
        let (data, response) = try await network.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw Failure.status(0) }
        return (data, response)
    }

    private struct Grant: Decodable {
        let access: String
        let refresh: String?

        enum CodingKeys: String, CodingKey {
            case access = "access_token"
            case refresh = "refresh_token"
        }
    }
}

/// Where tokens are kept when the app is killed.
protocol KeptTokens: Sendable {
    func load() throws -> CarefulClient.Tokens?
    func save(_ tokens: CarefulClient.Tokens?) throws
}
