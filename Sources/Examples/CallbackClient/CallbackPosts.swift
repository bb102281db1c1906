public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The client of the posts' service, as it was written before Swift Concurrency.
///
/// Completion handlers, a queue for the tokens and a group for the screen; it knows no simulation.
public final class CallbackPosts: @unchecked Sendable {
    // Safe because all mutable properties are used on `state` only.

    /// Gets the result of a call.
    public typealias Completion = @Sendable (Result<Data, CallbackError>) -> Void

    private let base: URL
    private let session: URLSession
    private let keep: @Sendable (_ access: String, _ refresh: String) -> Void
    private let state = DispatchQueue(label: "com.example.posts.tokens")
    private var access: String
    private var refresh: String
    /// The calls that wait for the current refresh; `nil` if there is none.
    private var waiting: [@Sendable (Result<String, CallbackError>) -> Void]?

    /// A client with the tokens of a sign-in; `keep` saves new ones for the next start.
    public init(
        base: URL, session: URLSession, access: String, refresh: String,
        keep: @escaping @Sendable (_ access: String, _ refresh: String) -> Void
    ) {
        self.base = base
        self.session = session
        self.access = access
        self.refresh = refresh
        self.keep = keep
    }

    /// Takes the tokens of a new sign-in.
    public func signedIn(access: String, refresh: String) {
        state.sync { (self.access, self.refresh) = (access, refresh) }
    }

    /// Loads the main screen, posts and profile at once; calls back on the main queue.
    public func main(_ completion: @escaping @Sendable (CallbackError?) -> Void) {
        let group = DispatchGroup()
        let failure = FirstFailure()
        for path in ["posts", "profile"] {
            group.enter()
            get(path) { result in
                if case .failure(let error) = result { failure.note(error) }
                group.leave()
            }
        }
        group.notify(queue: .main) { completion(failure.first) }
    }

    private func get(_ path: String, _ completion: @escaping Completion) {
        state.async { [self] in
            send(path, access) { [self] result in
                guard case .failure(.status(401)) = result else { return completion(result) }
                refreshed { [self] fresh in
                    switch fresh {
                    case .success(let token): send(path, token, completion)
                    case .failure(let error): completion(.failure(error))
                    }
                }
            }
        }
    }

    /// Gets a new access token; calls during a refresh wait for its token.
    private func refreshed(
        _ completion: @escaping @Sendable (Result<String, CallbackError>) -> Void
    ) {
        state.async { [self] in
            guard waiting == nil else { return waiting?.append(completion) ?? () }
            waiting = [completion]
            renew()
        }
    }

    private func renew() {
        var request = URLRequest(url: base.appendingPathComponent("oauth/token"))
        request.httpMethod = "POST"
        request.setValue(
            "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("grant_type=refresh_token&refresh_token=\(refresh)".utf8)
        load(request) { [self] result in
            state.async { [self] in
                let fresh = result.flatMap { data -> Result<String, CallbackError> in
                    guard let pair = try? JSONDecoder().decode(Pair.self, from: data) else {
                        return .failure(.unreadable)
                    }
                    access = pair.access
                    refresh = pair.refresh ?? refresh
                    keep(access, refresh)
                    return .success(access)
                }
                let all = waiting ?? []
                waiting = nil
                for completion in all { completion(fresh) }
            }
        }
    }

    private func send(_ path: String, _ token: String, _ completion: @escaping Completion) {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        load(request, completion)
    }

    private func load(_ request: URLRequest, _ completion: @escaping Completion) {
        session.dataTask(with: request) { data, response, error in
            guard let response = response as? HTTPURLResponse, error == nil else {
                return completion(.failure(.network))
            }
            guard response.statusCode == 200 else {
                return completion(.failure(.status(response.statusCode)))
            }
            completion(.success(data ?? Data()))
        }.resume()
    }

    private struct Pair: Decodable {
        let access: String
        let refresh: String?

        enum CodingKeys: String, CodingKey {
            case access = "access_token"
            case refresh = "refresh_token"
        }
    }
}

/// A failure after which there is nothing to show.
public enum CallbackError: Error, Hashable, Sendable {
    /// The server answered with this status.
    case status(Int)
    /// No answer came.
    case network
    /// The answer could not be decoded.
    case unreadable
}

/// The first of several failures, guarded by a lock, as such code does it.
private final class FirstFailure: @unchecked Sendable {
    // Safe because every access holds the lock.

    private let lock = NSLock()
    private var noted: CallbackError?

    var first: CallbackError? {
        lock.lock()
        defer { lock.unlock() }
        return noted
    }

    func note(_ error: CallbackError) {
        lock.lock()
        defer { lock.unlock() }
        noted = noted ?? error
    }
}
