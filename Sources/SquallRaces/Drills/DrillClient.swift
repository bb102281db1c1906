public import SquallServices
import Synchronization

/// A client as drills use it: a closure for each thing that a user can do with it.
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
    /// Something that a user does.
    public typealias Action = @Sendable () async throws -> Void

    let signIn: @Sendable (DrillPerson) async throws -> Void
    let calls: [Action]
    /// The closures that only some clients have, by ability.
    let actions: [Drill.Ability: Action]
    let isSignedIn: (@Sendable () async throws -> Bool)?
    let list: (@Sendable () async throws -> [String])?
    let switchTo: (@Sendable (DrillPerson) async throws -> Void)?
    let earlierVersion: (@Sendable (DrillPerson) async throws -> Void)?

    /// A client by what can be done with it.
    ///
    /// - Parameters:
    ///   - signIn: signs a user in, by name and password or by tokens of a sign-in elsewhere.
    ///   - call: reads something that needs a token; throws when it cannot.
    ///   - expects: true if what `call` returned is what the service has; a call that returns
    ///     something else counts as failed.
    ///   - otherCalls: more calls of this kind, so that several endpoints are asked at once.
    ///   - write: changes something on the server, once each time it is called.
    ///   - otherScope: a call with an access token of its own, got by the same refresh token.
    ///   - refresh: what the app does itself to have a fresh token, as when it comes to the front.
    ///   - signOut: signs the user out; the sign-out is done when it returns.
    ///   - isSignedIn: true while the app shows a user as signed in.
    ///   - list: loads all pages of a list, and returns what the screen shows of each item.
    ///   - reconnect: opens again what the app keeps open, such as a stream, or registers again for
    ///     notifications.
    ///   - otherProcess: a call by another process on the same storage, such as an extension, a
    ///     widget or a background task: make a second client on `device.storage` in it.
    ///   - switchTo: makes a user's account the current one, and signs it in where it is new; the
    ///     other accounts stay signed in.
    ///   - earlierVersion: signs a user in as an earlier version of the app did, which leaves its
    ///     tokens on `device.storage` in another form.
    public init<Value>(
        signIn: @escaping @Sendable (DrillPerson) async throws -> Void,
        call: @escaping @Sendable () async throws -> Value,
        expects: (@Sendable (Value) -> Bool)? = nil,
        otherCalls: [Action] = [], write: Action? = nil, otherScope: Action? = nil,
        refresh: Action? = nil, signOut: Action? = nil,
        isSignedIn: (@Sendable () async throws -> Bool)? = nil,
        list: (@Sendable () async throws -> [String])? = nil, reconnect: Action? = nil,
        otherProcess: Action? = nil,
        switchTo: (@Sendable (DrillPerson) async throws -> Void)? = nil,
        earlierVersion: (@Sendable (DrillPerson) async throws -> Void)? = nil
    ) {
        self.signIn = signIn
        let first: Action = {
            let value = try await call()
            guard expects?(value) ?? true else { throw UnexpectedValue() }
        }
        calls = [first] + otherCalls
        let actions: [Drill.Ability: Action?] = [
            .write: write, .otherScope: otherScope, .refresh: refresh, .signOut: signOut,
            .reconnect: reconnect, .otherProcess: otherProcess,
        ]
        self.actions = actions.compactMapValues(\.self)
        self.isSignedIn = isSignedIn
        self.list = list
        self.switchTo = switchTo
        self.earlierVersion = earlierVersion
    }

    /// A call returned a value that the service does not have.
    private struct UnexpectedValue: Error, CustomStringConvertible {
        let description = "a value that differs from the service's"
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

    /// The action of an ability; one that ends at once where the client lacks it.
    func action(_ ability: Drill.Ability) -> Action {
        let none: Action = {}
        return actions[ability] ?? none
    }

    /// The abilities that its closures give it.
    var abilities: Set<Drill.Ability> {
        var all = Set(actions.keys)
        if isSignedIn != nil { all.insert(.isSignedIn) }
        if list != nil { all.insert(.list) }
        if switchTo != nil { all.insert(.switchTo) }
        if earlierVersion != nil { all.insert(.earlierVersion) }
        return all
    }
}

/// A user who signs in on a device.
public struct DrillPerson: Sendable {
    /// The user's name in reports.
    public let name: String
    /// The name that the user types.
    public let email: String
    /// The password that the user types.
    public let password: String
    /// The number of the account.
    public let account: Int
    private let issue: @Sendable () -> IssuedTokens

    /// A user with an account; `tokens` are those of a sign-in now.
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
