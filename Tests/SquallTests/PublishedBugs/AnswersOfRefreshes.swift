/// Each call that is refused refreshes for itself (logto-io/swift #60).
actor UncachedRefresh: TokenKeepingClient {
    let room: BugClientDevice
    var kept: TokenWire.Grant?

    init(_ room: BugClientDevice) { self.room = room }

    func fresh(insteadOf refused: String) async throws -> String {
        guard isMended else { return try await renewed() }
        return try await joined(insteadOf: refused) { try await self.renewed() }
    }
}

/// An answer without a refresh token takes the old one away (forgerock-ios-sdk #59).
actor ForgottenRefreshToken: TokenKeepingClient {
    let room: BugClientDevice
    var kept: TokenWire.Grant?

    init(_ room: BugClientDevice) { self.room = room }

    func fresh(insteadOf refused: String) async throws -> String {
        try await joined(insteadOf: refused) { try await self.replaced() }
    }

    private func replaced() async throws -> String {
        guard !isMended else { return try await renewed() }
        guard let old = kept?.refresh else { throw TokenWire.Failure.signedOut }
        let new = try await wire.refresh(old)
        kept = new
        return new.access
    }
}

/// Any error of a refresh ends the session, a broken connection too (forgerock-ios-sdk #362).
actor OfflineSignsOut: TokenKeepingClient {
    let room: BugClientDevice
    var kept: TokenWire.Grant?

    init(_ room: BugClientDevice) { self.room = room }

    func fresh(insteadOf refused: String) async throws -> String {
        try await joined(insteadOf: refused) { try await self.careless() }
    }

    private func careless() async throws -> String {
        do { return try await renewed() } catch {
            if !isMended { kept = nil }
            throw error
        }
    }
}

/// The answer of a refresh is kept although somebody has signed out (supabase-swift #1371).
actor ZombieSession: TokenKeepingClient {
    let room: BugClientDevice
    var kept: TokenWire.Grant?

    init(_ room: BugClientDevice) { self.room = room }

    func fresh(insteadOf refused: String) async throws -> String {
        try await joined(insteadOf: refused) { try await self.kept(of: self.kept) }
    }

    private func kept(of session: TokenWire.Grant?) async throws -> String {
        guard let old = session?.refresh else { throw TokenWire.Failure.signedOut }
        let new = try await wire.refresh(old)
        // What the refresh was begun for is not the session any more.
        if isMended, kept?.refresh != old { throw TokenWire.Failure.signedOut }
        kept = TokenWire.Grant(access: new.access, refresh: new.refresh ?? old)
        return new.access
    }
}

/// A refresh goes down with its caller, and takes the session along (supabase-swift #707).
actor CancelledRefresh: TokenKeepingClient {
    let room: BugClientDevice
    var kept: TokenWire.Grant?

    init(_ room: BugClientDevice) { self.room = room }

    func fresh(insteadOf refused: String) async throws -> String {
        guard !isMended else {
            return try await joined(insteadOf: refused) { try await self.renewed() }
        }
        if let kept, kept.access != refused { return kept.access }
        do { return try await renewed() } catch {
            kept = nil
            throw error
        }
    }
}
