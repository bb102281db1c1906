import Squall

/// Each call that is refused refreshes for itself (logto-io/swift #60).
actor UncachedRefresh: MuseumKeeper {
    let room: MuseumRoom
    var kept: MuseumWire.Grant?

    init(_ room: MuseumRoom) { self.room = room }

    func fresh(insteadOf refused: String) async throws -> String {
        guard isMended else { return try await renewed() }
        return try await joined(insteadOf: refused) { try await self.renewed() }
    }
}

/// An answer without a refresh token takes the old one away (forgerock-ios-sdk #59).
actor ForgottenRefreshToken: MuseumKeeper {
    let room: MuseumRoom
    var kept: MuseumWire.Grant?

    init(_ room: MuseumRoom) { self.room = room }

    func fresh(insteadOf refused: String) async throws -> String {
        try await joined(insteadOf: refused) { try await self.replaced() }
    }

    private func replaced() async throws -> String {
        guard !isMended else { return try await renewed() }
        guard let old = kept?.refresh else { throw MuseumWire.Failure.signedOut }
        let new = try await wire.refresh(old)
        kept = new
        return new.access
    }
}

/// Any error of a refresh ends the session, a broken connection too (forgerock-ios-sdk #362).
actor OfflineSignsOut: MuseumKeeper {
    let room: MuseumRoom
    var kept: MuseumWire.Grant?

    init(_ room: MuseumRoom) { self.room = room }

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
actor ZombieSession: MuseumKeeper {
    let room: MuseumRoom
    var kept: MuseumWire.Grant?

    init(_ room: MuseumRoom) { self.room = room }

    func fresh(insteadOf refused: String) async throws -> String {
        try await joined(insteadOf: refused) { try await self.kept(of: self.kept) }
    }

    private func kept(of session: MuseumWire.Grant?) async throws -> String {
        guard let old = session?.refresh else { throw MuseumWire.Failure.signedOut }
        let new = try await wire.refresh(old)
        // What the refresh was begun for is not the session any more.
        if isMended, kept?.refresh != old { throw MuseumWire.Failure.signedOut }
        kept = MuseumWire.Grant(access: new.access, refresh: new.refresh ?? old)
        return new.access
    }
}

/// A refresh goes down with its caller, and takes the session along (supabase-swift #707).
actor CancelledRefresh: MuseumKeeper {
    let room: MuseumRoom
    var kept: MuseumWire.Grant?

    init(_ room: MuseumRoom) { self.room = room }

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
