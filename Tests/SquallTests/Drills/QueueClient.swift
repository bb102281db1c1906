import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A careful client of completion handlers on a serial queue, as apps had them before actors.
final class QueueClient: @unchecked Sendable {
    // Safe because everything is touched on the queue only.

    /// What a client of the kind gets wrong.
    enum Slip {
        /// Who waited first for a refresh is told of its end twice.
        case wakesTwice
        /// A call that was refused after somebody else's refresh is not repeated.
        case losesLateCalls
    }

    typealias Done = @Sendable (Result<Data, any Error>) -> Void
    private typealias Tokens = CarefulClient.Tokens

    private let base: URL
    private let network: URLSession
    private let storage: any KeptTokens
    private let slip: Slip?
    private let queue = DispatchQueue(label: "api")
    private var tokens: Tokens?
    /// Whether the storage has told what it has; whether it lacks the newest tokens.
    private var hasRead = false, isUnstored = false
    private var sessionNumber = 0
    /// Who waits for the refresh that is under way; `nil` when none is.
    private var waiting: [@Sendable (Result<Void, any Error>) -> Void]?
    private var notBefore = Date.distantPast

    init(base: URL, network: URLSession, storage: any KeptTokens, with slip: Slip? = nil) {
        self.base = base
        self.network = network
        self.storage = storage
        self.slip = slip
        catchUp()
    }

    /// Does what a locked storage did not let it do before.
    private func catchUp() {
        if !hasRead, let kept = try? storage.load() { (tokens, hasRead) = (kept, true) }
        if isUnstored { keep(tokens) }
    }

    func isSignedIn(_ done: @escaping @Sendable (Bool) -> Void) {
        queue.async { [self] in done(tokens != nil) }
    }

    func signIn(_ name: String, _ password: String, _ done: @escaping Done) {
        post("oauth/token", "grant_type=password&username=\(name)&password=\(password)") {
            [self] result in
            do {
                let (data, status, _) = try result.get()
                guard status == 200 else { throw CarefulClient.Failure.status(status) }
                begin(try JSONDecoder().decode(TokenWire.Grant.self, from: data))
                done(.success(data))
            } catch { done(.failure(error)) }
        }
    }

    private func begin(_ grant: TokenWire.Grant) {
        sessionNumber += 1
        giveUpWaiting()
        notBefore = .distantPast
        keep(Tokens(access: grant.access, refresh: grant.refresh ?? ""))
    }

    func signOut(_ done: @escaping Done) {
        queue.async { [self] in
            let old = tokens
            sessionNumber += 1
            giveUpWaiting()
            keep(nil)
            guard let old else { return done(.success(Data())) }
            post("oauth/revoke", "token=\(old.refresh)") { _ in done(.success(Data())) }
        }
    }

    private func giveUpWaiting() {
        let all = waiting ?? []
        waiting = nil
        for done in all { done(.failure(CarefulClient.Failure.anotherSession)) }
    }

    func call(_ method: String, _ path: String, _ done: @escaping Done) {
        queue.async { [self] in
            catchUp()
            attempt(method, path, sessionNumber, isLast: false, done)
        }
    }

    private func attempt(
        _ method: String, _ path: String, _ session: Int, isLast: Bool, _ done: @escaping Done
    ) {
        guard session == sessionNumber, let token = tokens?.access else {
            return done(.failure(CarefulClient.Failure.signedOut))
        }
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.httpMethod = method
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        send(request) { [self] result in
            do {
                let (data, status, _) = try result.get()
                if status == 200 || status == 201 { return done(.success(data)) }
                guard status == 401, !isLast, session == sessionNumber else {
                    throw CarefulClient.Failure.status(status)
                }
                refresh(insteadOf: token) { [self] result in
                    do { try result.get() } catch { return done(.failure(error)) }
                    attempt(method, path, session, isLast: true, done)
                }
            } catch { done(.failure(error)) }
        }
    }

    func refresh(_ done: @escaping Done) {
        queue.async { [self] in
            refresh(insteadOf: tokens?.access ?? "") { done($0.map { Data() }) }
        }
    }

    private func refresh(
        insteadOf refused: String, _ done: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        if waiting != nil { return waiting?.append(done) ?? () }
        guard let old = tokens else { return done(.failure(CarefulClient.Failure.signedOut)) }
        if old.access != refused {
            let isLost = slip == .losesLateCalls
            return done(isLost ? .failure(CarefulClient.Failure.status(401)) : .success(()))
        }
        if Date() < notBefore { return done(.failure(CarefulClient.Failure.later)) }
        waiting = [done]
        let session = sessionNumber
        post("oauth/token", "grant_type=refresh_token&refresh_token=\(old.refresh)") {
            [self] result in
            guard session == sessionNumber else { return }
            let outcome = Result { try take(try result.get(), old) }
            let all = waiting ?? []
            waiting = nil
            for done in all { done(outcome) }
            if slip == .wakesTwice { all.first?(outcome) }
        }
    }

    private func take(
        _ answer: (data: Data, status: Int, pause: Double?), _ old: Tokens
    ) throws {
        switch answer.status {
        case 200: break
        case 400, 401, 403:
            keep(nil)
            throw CarefulClient.Failure.signedOut
        default:
            notBefore = Date().addingTimeInterval(answer.pause ?? 0)
            throw CarefulClient.Failure.status(answer.status)
        }
        let grant = try JSONDecoder().decode(TokenWire.Grant.self, from: answer.data)
        keep(Tokens(access: grant.access, refresh: grant.refresh ?? old.refresh))
    }

    private func keep(_ new: Tokens?) {
        (tokens, hasRead) = (new, true)
        isUnstored = (try? storage.save(new)) == nil
    }

    private typealias Answered =
        @Sendable (
            Result<(data: Data, status: Int, pause: Double?), any Error>
        ) -> Void

    private func post(_ path: String, _ fields: String, _ done: @escaping Answered) {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.setValue(
            "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(fields.utf8)
        send(request, done)
    }

    private func send(_ request: URLRequest, _ done: @escaping Answered) {
        network.dataTask(with: request) { [self] data, response, error in
            let head = response as? HTTPURLResponse
            let pause = head?.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init)
            queue.async {
                if let error { return done(.failure(error)) }
                done(.success((data ?? Data(), head?.statusCode ?? 0, pause)))
            }
        }.resume()
    }
}
