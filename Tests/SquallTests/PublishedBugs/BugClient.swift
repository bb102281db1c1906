import Squall

/// A client with a published bug, and after its mend.
protocol BugClient: Actor {
    init(_ room: BugClientDevice)
    var isSignedIn: Bool { get }
    func signIn(_ name: String, _ password: String) async throws
    func signOut() async throws
    func call(_ path: String) async throws
}

/// The device of such a client, and the refresh that is under way on it.
final class BugClientDevice {
    let wire: TokenWire
    let storage: DrillStorage
    /// Whether it is as it was after the bug was mended.
    let isMended: Bool
    var running: Task<String, any Error>?

    init(_ wire: TokenWire, _ storage: DrillStorage, isMended: Bool) {
        self.wire = wire
        self.storage = storage
        self.isMended = isMended
    }

    /// The tokens that the device has kept.
    var stored: TokenWire.Grant? {
        guard let access = storage["access"], let refresh = storage["refresh"] else { return nil }
        return TokenWire.Grant(access: access, refresh: refresh)
    }
}

/// The tokens of such a client, and the parts of it that were never wrong.
protocol TokenKeepingClient: BugClient {
    var room: BugClientDevice { get }
    var kept: TokenWire.Grant? { get set }
    /// A token that is good, where this one was refused; where a refusal is no reason, an error.
    /// One refresh for all who ask, unless that is what was wrong.
    func fresh(insteadOf refused: String) async throws -> String
}

extension TokenKeepingClient {
    var wire: TokenWire { room.wire }
    var storage: DrillStorage { room.storage }
    var isMended: Bool { room.isMended }
    var isSignedIn: Bool { kept != nil }

    func fresh(insteadOf refused: String) async throws -> String {
        try await joined(insteadOf: refused) { try await self.renewed() }
    }

    func signIn(_ name: String, _ password: String) async throws {
        kept = try await wire.signIn(name, password)
    }

    func signOut() async throws { kept = nil }

    func call(_ path: String) async throws {
        guard let token = kept?.access else { throw TokenWire.Failure.signedOut }
        var status = try await wire.get(path, token)
        if status == 401 { status = try await wire.get(path, try await fresh(insteadOf: token)) }
        guard status == 200 else { throw TokenWire.Failure.status(status) }
    }

    /// A refresh whose answer takes the place of what is kept.
    func renewed() async throws -> String {
        guard let old = kept?.refresh else { throw TokenWire.Failure.signedOut }
        do {
            var new = try await wire.refresh(old)
            new.refresh = new.refresh ?? old
            kept = new
            return new.access
        } catch TokenWire.Failure.signedOut {
            kept = nil
            throw TokenWire.Failure.signedOut
        }
    }

    /// One refresh for all who ask meanwhile, and none where somebody has been there before.
    func joined(
        insteadOf refused: String, _ renew: @escaping @Sendable () async throws -> String
    ) async throws -> String {
        if let running = room.running { return try await running.value }
        if let kept, kept.access != refused { return kept.access }
        let task = Task { try await renew() }
        room.running = task
        defer { room.running = nil }
        return try await task.value
    }
}
