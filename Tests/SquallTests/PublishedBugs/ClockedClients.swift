import Foundation

/// Whatever starts with the app refreshes for itself (firebase-ios-sdk #15474, mended by #15493).
actor ElevenAtLaunch: TokenKeepingClient {
    let room: BugClientDevice
    /// When the access token at hand ends, by the device's clock.
    private var end = Date.distantPast
    var kept: TokenWire.Grant? {
        didSet { end = Date().addingTimeInterval(kept?.lifetime ?? 0) }
    }

    init(_ room: BugClientDevice) { self.room = room }

    private var isValid: Bool { end > Date() }

    func fresh(insteadOf refused: String) async throws -> String {
        guard isMended else { return try await renewed() }
        return try await joined(insteadOf: refused) { try await self.renewed() }
    }

    func call(_ path: String) async throws {
        guard var token = kept?.access else { throw TokenWire.Failure.signedOut }
        if !isValid { token = try await fresh(insteadOf: token) }
        let status = try await wire.get(path, token)
        guard status == 200 else { throw TokenWire.Failure.status(status) }
    }
}

/// A token counts as good for a minute after its end (gotrue-swift #55).
actor MinuteTooLong: TokenKeepingClient {
    let room: BugClientDevice
    /// When the access token at hand ends, by the device's clock.
    private var end = Date.distantPast
    var kept: TokenWire.Grant? {
        didSet { end = Date().addingTimeInterval(kept?.lifetime ?? 0) }
    }

    init(_ room: BugClientDevice) { self.room = room }

    private var isValid: Bool { end > Date().addingTimeInterval(isMended ? 60 : -60) }

    func call(_ path: String) async throws {
        guard var token = kept?.access else { throw TokenWire.Failure.signedOut }
        if !isValid { token = try await fresh(insteadOf: token) }
        let status = try await wire.get(path, token)
        guard status == 200 else { throw TokenWire.Failure.status(status) }
    }
}
