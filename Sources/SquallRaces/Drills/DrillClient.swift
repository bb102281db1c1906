public import SquallServices
import Synchronization

/// A client as drills use it: a closure for each thing that a person can do with it.
///
/// ```swift
/// DrillClient(
///     signIn: { try await api.signIn(name: $0.email, password: $0.password) },
///     call: { try await api.posts() }, signOut: { await api.signOut() },
///     isSignedIn: { await api.user != nil })
/// ```
///
/// The first two are enough for half of the drills; each further closure allows more drills, and
/// the report says which drills were left out for lack of one.
public struct DrillClient: Sendable {
    /// Something that a person does.
    public typealias Action = @Sendable () async throws -> Void

    let signIn: @Sendable (DrillPerson) async throws -> Void
    let calls: [Action]
    let write: Action?
    let otherScope: Action?
    let refresh: Action?
    let signOut: Action?
    let isSignedIn: (@Sendable () async throws -> Bool)?

    /// A client by what can be done with it.
    ///
    /// - Parameters:
    ///   - signIn: signs a person in, by name and password or by tokens of a sign-in elsewhere.
    ///   - call: reads something that needs a token; throws when it cannot.
    ///   - otherCalls: more calls of this kind, so that several endpoints are asked at once.
    ///   - write: changes something on the server, once each time it is called.
    ///   - otherScope: a call with an access token of its own, got by the same refresh token.
    ///   - refresh: what the app does itself to have a fresh token, as when it comes to the front.
    ///   - signOut: signs the person out; the sign-out is done when it returns.
    ///   - isSignedIn: whether the app shows a person as signed in.
    public init<Value>(
        signIn: @escaping @Sendable (DrillPerson) async throws -> Void,
        call: @escaping @Sendable () async throws -> Value,
        otherCalls: [Action] = [], write: Action? = nil, otherScope: Action? = nil,
        refresh: Action? = nil, signOut: Action? = nil,
        isSignedIn: (@Sendable () async throws -> Bool)? = nil
    ) {
        self.signIn = signIn
        calls = [{ _ = try await call() }] + otherCalls
        self.write = write
        self.otherScope = otherScope
        self.refresh = refresh
        self.signOut = signOut
        self.isSignedIn = isSignedIn
    }

    /// An action that ends by calling a completion handler, which must be called once.
    ///
    /// ```swift
    /// call: DrillClient.completing { done in api.posts(completion: done) }
    /// ```
    ///
    /// A handler that is called again is a finding of its own; one that is never called is a hang.
    public static func completing<Value>(
        _ begin:
            @escaping @Sendable (
                _ done: @escaping @Sendable (Result<Value, any Error>) -> Void
            ) -> Void
    ) -> Action {
        {
            let act = DrillAct.current
            let calls = Mutex(0)
            try await withUnsafeThrowingContinuation {
                (over: UnsafeContinuation<Void, any Error>) in
                begin { result in
                    let number = calls.withLock { count in
                        count += 1
                        return count
                    }
                    act?.completions = number
                    if number == 1 { over.resume(with: result.map { _ in () }) }
                }
            }
        }
    }

    /// The abilities that its closures give it.
    var abilities: Set<Drill.Ability> {
        var all: Set<Drill.Ability> = []
        if signOut != nil { all.insert(.signOut) }
        if isSignedIn != nil { all.insert(.isSignedIn) }
        if refresh != nil { all.insert(.refresh) }
        if write != nil { all.insert(.write) }
        if otherScope != nil { all.insert(.otherScope) }
        return all
    }
}

/// A person who signs in on a device.
public struct DrillPerson: Sendable {
    /// The person's name in reports.
    public let name: String
    /// The name that the person types.
    public let email: String
    /// The password that the person types.
    public let password: String
    /// The number of the account.
    public let account: Int
    private let issue: @Sendable () -> IssuedTokens

    /// A person with an account; `tokens` are those of a sign-in now.
    public init(
        _ name: String, account: Int, credentials: (email: String, password: String),
        tokens: @escaping @Sendable () -> IssuedTokens
    ) {
        self.name = name
        self.account = account
        issue = tokens
        (email, password) = credentials
    }

    /// Tokens of a sign-in now, for a client that gets them from elsewhere: a web page, a code.
    public func tokens() -> IssuedTokens { issue() }
}
