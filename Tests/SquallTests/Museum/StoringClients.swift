import Squall

/// Tokens of a refresh are stored when the app thinks of it (jonasman/TeslaSwift #185).
actor StoredLater: MuseumKeeper {
    let wire: MuseumWire
    let flight = MuseumFlight()
    private let storage: DrillStorage
    private let isMended: Bool
    var kept: MuseumWire.Grant? {
        didSet { save(after: oldValue) }
    }

    init(_ wire: MuseumWire, _ storage: DrillStorage, isMended: Bool) {
        self.wire = wire
        self.storage = storage
        self.isMended = isMended
        guard let access = storage["access"], let refresh = storage["refresh"] else { return }
        kept = MuseumWire.Grant(access: access, refresh: refresh)
    }

    private func save(after old: MuseumWire.Grant?) {
        // The app stores what a sign-in brought, and hears of nothing else.
        guard isMended || old == nil || kept == nil else { return }
        storage["access"] = kept?.access
        storage["refresh"] = kept?.refresh
    }

    func fresh(insteadOf refused: String) async throws -> String {
        try await joined(insteadOf: refused) { try await self.renewed() }
    }
}

/// The new refresh token does not reach the keychain (p2/OAuth2 #75).
actor HalfStored: MuseumKeeper {
    let wire: MuseumWire
    let flight = MuseumFlight()
    private let storage: DrillStorage
    private let isMended: Bool
    var kept: MuseumWire.Grant? {
        didSet { save(after: oldValue) }
    }

    init(_ wire: MuseumWire, _ storage: DrillStorage, isMended: Bool) {
        self.wire = wire
        self.storage = storage
        self.isMended = isMended
        guard let access = storage["access"], let refresh = storage["refresh"] else { return }
        kept = MuseumWire.Grant(access: access, refresh: refresh)
    }

    private func save(after old: MuseumWire.Grant?) {
        storage["access"] = kept?.access
        guard isMended || old == nil || kept == nil else { return }
        storage["refresh"] = kept?.refresh
    }

    func fresh(insteadOf refused: String) async throws -> String {
        try await joined(insteadOf: refused) { try await self.renewed() }
    }
}
