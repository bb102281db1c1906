import SquallHTTP

@testable import SquallRaces

/// The smallest client that keeps every promise of the drills, but for one slip.
final class PocketClient: @unchecked Sendable {
    // Safe because everything happens on the thread that runs its world.

    /// What is wrong with it.
    enum Slip: String, CaseIterable {
        case none
        /// Several refreshes go out at once.
        case refreshesBeside
        /// A call that was refused is not sent again.
        case repeatsNothing
        /// A call that is refused is sent again and again.
        case repeatsForEver
        /// The refresh token of the sign-in is shown each time.
        case keepsFirstRefreshToken
        /// Whatever makes a refresh fail ends the session.
        case failureSignsOut
        /// Nothing ends it.
        case refusalChangesNothing
        /// What a refresh brings after a sign-out, or for somebody else, is taken.
        case takesLateTokens
        /// A sign-out leaves the tokens on the shelf.
        case signOutKeepsShelf
        /// Nothing is stored.
        case storesNothing
        /// What cannot be stored fails the call.
        case storingMustWork
        /// Storing goes on beside the next refresh.
        case storesBeside
        /// Retry-After is read by nobody.
        case waitsForNothing
        /// Whatever fails on the way is sent again.
        case sendsWritesAgain
        /// A token is refreshed when the device's clock has reached its end, and never otherwise;
        /// its end is told by the server's clock.
        case believesClock
        /// In the place of a refresh it signs in again.
        case signsInAgain
        /// Calls wait for ever once a refresh has failed.
        case hangsOnFailure
        /// One kind of call goes out without a token.
        case anonymous
        /// A caller who gives up ends the refresh.
        case callerEndsRefresh
        /// Both scopes exchange the refresh token beside each other.
        case scopesBeside
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    struct Tokens {
        var access: String
        var refresh: String
        /// When the access token is over, by the server's clock.
        var end: Duration
    }

    private let stage: PocketStage
    private let life: Int
    private let slip: Slip
    private var tokens: Tokens?
    private var otherAccess: String?
    private var first = ""
    private var person: DrillPerson?
    /// Grows with each sign-in and sign-out.
    private var session = 0
    private var running: Task<Void, any Error>?
    private var notBefore: Duration = .seconds(-1_000_000)

    init(_ stage: PocketStage, life: Int, _ slip: Slip) {
        (self.stage, self.life, self.slip) = (stage, life, slip)
        tokens = stage.shelf.load()
    }

    var asDrilled: DrillClient {
        DrillClient(
            signIn: { try await self.signIn($0) }, call: { try await self.call(.get, "/posts") },
            otherCalls: [{ try await self.call(.get, "/profile") }],
            write: { try await self.call(.post, "/posts") },
            otherScope: { try await self.callOfOtherScope() },
            refresh: { try await self.renew(insteadOf: self.tokens?.access ?? "") },
            signOut: { await self.signOut() }, isSignedIn: { self.tokens != nil })
    }

    private func signIn(_ person: DrillPerson) async throws {
        let new = try await tokens(of: person)
        if slip != .takesLateTokens {
            session += 1
            running = nil
        }
        (notBefore, self.person, otherAccess) = (.seconds(-1_000_000), person, nil)
        (tokens, first) = (new, new.refresh)
        try? await store(new)
    }

    private func tokens(of person: DrillPerson) async throws -> Tokens {
        let answer = try await stage.send(
            .post, "/oauth/token", life,
            form: "grant_type=password&username=\(person.email)&password=\(person.password)")
        guard answer.status == 200 else { throw Failure("\(answer.status)") }
        return grant(answer.body, old: "")
    }

    private func signOut() async {
        let old = tokens
        if slip != .takesLateTokens {
            session += 1
            running = nil
        }
        (tokens, otherAccess) = (nil, nil)
        if slip != .signOutKeepsShelf { try? await store(nil) }
        guard let old else { return }
        _ = try? await stage.send(.post, "/oauth/revoke", life, form: "token=\(old.refresh)")
    }

    private func call(_ method: HTTPMethod, _ path: String) async throws {
        let mine = session
        var repeats = 0
        while true {
            guard let tokens else { throw Failure("signed out") }
            guard mine == session else { throw Failure("another session") }
            if slip == .believesClock, stage.clock >= tokens.end {
                try await renew(insteadOf: tokens.access)
            }
            let isAnonymous = slip == .anonymous && path == "/profile"
            let access = isAnonymous ? nil : self.tokens?.access
            let status = try await sent(method, path, access)
            if (200...201).contains(status) { return }
            guard status == 401, repeats == 0 || slip == .repeatsForEver,
                ![.repeatsNothing, .believesClock].contains(slip), mine == session
            else { throw Failure("\(status)") }
            repeats += 1
            try await renew(insteadOf: access ?? "")
        }
    }

    private func sent(_ method: HTTPMethod, _ path: String, _ access: String?) async throws -> Int {
        do { return try await stage.send(method, path, life, token: access).status } catch {
            guard slip == .sendsWritesAgain else { throw error }
            return try await stage.send(method, path, life, token: access).status
        }
    }

    /// The other scope has an access token of its own, bought by the same refresh token.
    private func callOfOtherScope() async throws {
        for _ in 0...1 {
            if let otherAccess {
                let status = try await sent(.get, "/profile", otherAccess)
                if status == 200 { return }
            }
            if slip != .scopesBeside { while let running { try? await running.value } }
            guard let old = tokens else { throw Failure("signed out") }
            let task = Task {
                let new = try await self.exchange(old)
                self.otherAccess = new.access
                self.tokens?.refresh = new.refresh
            }
            running = task
            defer { running = nil }
            try await task.value
        }
        throw Failure("401")
    }

    private func renew(insteadOf refused: String) async throws {
        if let running, slip != .refreshesBeside { try await running.value }
        if let tokens, tokens.access != refused { return }
        guard stage.clock >= notBefore || slip == .waitsForNothing else { throw Failure("later") }
        guard let old = tokens else { throw Failure("signed out") }
        let mine = session
        let task = Task {
            defer { if mine == self.session { self.running = nil } }
            let new = try await self.exchange(old)
            guard mine == self.session else { throw Failure("another session") }
            self.tokens = new
            switch self.slip {
            case .storesBeside:
                Task {
                    await self.stage.pause(.seconds(1))
                    try await self.store(new)
                }
            case .storingMustWork: try await self.store(new)
            default: try? await self.store(new)
            }
        }
        running = task
        guard slip == .callerEndsRefresh else { return try await task.value }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func form(_ old: Tokens) -> String {
        let shown = slip == .keepsFirstRefreshToken ? first : old.refresh
        return "grant_type=refresh_token&refresh_token=\(shown)"
    }

    private func exchange(_ old: Tokens) async throws -> Tokens {
        let mine = session
        if slip == .signsInAgain, let person { return try await tokens(of: person) }
        do {
            let answer = try await stage.send(.post, "/oauth/token", life, form: form(old))
            if answer.status == 200 { return grant(answer.body, old: old.refresh) }
            notBefore = stage.clock + .seconds(answer.retryAfter.flatMap(Int.init) ?? 0)
            let isRefused = (400...403).contains(answer.status)
            if isRefused && slip != .refusalChangesNothing, mine == session { await forget() }
            throw Failure("refresh \(answer.status)")
        } catch {
            if slip == .failureSignsOut, mine == session { await forget() }
            if slip == .hangsOnFailure {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
            throw error
        }
    }

    private func forget() async {
        (tokens, otherAccess) = (nil, nil)
        try? await store(nil)
    }

    private func store(_ new: Tokens?) async throws {
        guard slip != .storesNothing else { return }
        if stage.shelf.slowness > .zero { await stage.pause(stage.shelf.slowness) }
        try stage.shelf.save(new)
    }

    private func grant(_ body: String, old: String) -> Tokens {
        func value(_ name: String) -> String? {
            body.firstRange(of: "\"\(name)\"").map { range in
                String(
                    body[range.upperBound...].drop { ": \"".contains($0) }
                        .prefix { !"\",}".contains($0) })
            }
        }
        return Tokens(
            access: value("access_token") ?? "", refresh: value("refresh_token") ?? old,
            end: stage.now + .seconds(value("expires_in").flatMap(Int.init) ?? 0))
    }
}
