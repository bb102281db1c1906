/// A call that is refused is sent again until it is not (Alamofire #3029).
actor EndlessRepeat: TokenKeepingClient {
    let room: BugClientDevice
    var kept: TokenWire.Grant?

    init(_ room: BugClientDevice) { self.room = room }

    func call(_ path: String) async throws {
        var status = 401
        var sends = 0
        while status == 401, sends < 2 || !isMended {
            sends += 1
            guard let token = kept?.access else { throw TokenWire.Failure.signedOut }
            status = try await wire.get(path, token)
            if status == 401 { _ = try await fresh(insteadOf: token) }
        }
        guard status == 200 else { throw TokenWire.Failure.status(status) }
    }
}

/// A refresh that failed is waited for ever after (TimeTac/js-client-library #285).
actor BrokenForEver: TokenKeepingClient {
    let room: BugClientDevice
    var kept: TokenWire.Grant?

    init(_ room: BugClientDevice) { self.room = room }

    func fresh(insteadOf refused: String) async throws -> String {
        guard !isMended else {
            return try await joined(insteadOf: refused) { try await self.renewed() }
        }
        if let running = room.running { return try await running.value }
        if let kept, kept.access != refused { return kept.access }
        let task = Task { try await self.renewed() }
        room.running = task
        let token = try await task.value
        room.running = nil
        return token
    }
}

/// Who asks while a refresh is under way is never told of its end (SalesforceMobileSDK-iOS #2395).
actor LostCompletion: TokenKeepingClient {
    let room: BugClientDevice
    var kept: TokenWire.Grant?
    private var isRefreshing = false
    private var waiting: UnsafeContinuation<String, any Error>?

    init(_ room: BugClientDevice) { self.room = room }

    func fresh(insteadOf refused: String) async throws -> String {
        guard !isMended else {
            return try await joined(insteadOf: refused) { try await self.renewed() }
        }
        if isRefreshing {
            // There is room for one who waits; the next one takes it.
            return try await withUnsafeThrowingContinuation { waiting = $0 }
        }
        isRefreshing = true
        defer { isRefreshing = false }
        let token = try await renewed()
        waiting?.resume(returning: token)
        waiting = nil
        return token
    }
}

/// A refused access token is taken for a refused session (home-assistant/iOS #1300).
actor RefusalSignsOut: TokenKeepingClient {
    let room: BugClientDevice
    var kept: TokenWire.Grant?

    init(_ room: BugClientDevice) { self.room = room }

    func fresh(insteadOf refused: String) async throws -> String {
        guard isMended else {
            kept = nil
            throw TokenWire.Failure.signedOut
        }
        return try await joined(insteadOf: refused) { try await self.renewed() }
    }
}
