import Squall

/// Tokens of a refresh are stored when the app thinks of it (jonasman/TeslaSwift #185).
actor StoredLater: TokenKeepingClient {
    let room: BugClientDevice
    var kept: TokenWire.Grant? {
        didSet { save(after: oldValue) }
    }

    init(_ room: BugClientDevice) {
        self.room = room
        kept = room.stored
    }

    private func save(after old: TokenWire.Grant?) {
        // The app stores what a sign-in brought, and hears of nothing else.
        guard isMended || old == nil || kept == nil else { return }
        storage["access"] = kept?.access
        storage["refresh"] = kept?.refresh
    }
}

/// The new refresh token does not reach the keychain (p2/OAuth2 #75).
actor HalfStored: TokenKeepingClient {
    let room: BugClientDevice
    var kept: TokenWire.Grant? {
        didSet { save(after: oldValue) }
    }

    init(_ room: BugClientDevice) {
        self.room = room
        kept = room.stored
    }

    private func save(after old: TokenWire.Grant?) {
        storage["access"] = kept?.access
        guard isMended || old == nil || kept == nil else { return }
        storage["refresh"] = kept?.refresh
    }
}
