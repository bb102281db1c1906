import Foundation
import Squall

/// The API of the drills' tests.
let drilledService = TokenService(
    .bearer, accessLifetime: .seconds(300),
    routes: [
        .get("/posts", json: "[]"), .get("/profile"), .post("/posts", status: 201),
    ])

/// A device's storage as a client's own.
struct DeviceTokens: KeptTokens {
    let storage: DrillStorage

    func load() throws -> CarefulClient.Tokens? {
        try storage.data(for: "tokens").map {
            try JSONDecoder().decode(CarefulClient.Tokens.self, from: $0)
        }
    }

    func save(_ tokens: CarefulClient.Tokens?) throws {
        try storage.set(tokens.map { try JSONEncoder().encode($0) }, for: "tokens")
    }
}

/// The careful client, or a mutant of it, as drills use it.
@Sendable func carefulClient(
    on device: DrillDevice, without rule: CarefulClient.Rule? = nil
) -> DrillClient {
    @Sendable func made() -> CarefulClient {
        CarefulClient(
            base: device.url, network: device.session,
            storage: DeviceTokens(storage: device.storage), without: rule)
    }
    let api = made()
    return DrillClient(
        signIn: { try await api.signIn($0.email, $0.password) },
        call: { try await api.get("posts") },
        expects: { String(decoding: $0, as: UTF8.self) == "[]" },
        otherCalls: [{ _ = try await api.get("profile") }],
        write: { _ = try await api.post("posts") },
        refresh: { try await api.refresh() }, signOut: { try await api.signOut() },
        isSignedIn: { await api.isSignedIn }, reconnect: { _ = try await api.get("profile") },
        otherProcess: { _ = try await made().get("profile") })
}

/// The careful client of completion handlers, as drills use it.
@Sendable func queueClient(on device: DrillDevice) -> DrillClient {
    queueClient(on: device, with: nil)
}

/// The same with something wrong in it.
func queueClient(on device: DrillDevice, with slip: QueueClient.Slip?) -> DrillClient {
    let api = QueueClient(
        base: device.url, network: device.session,
        storage: DeviceTokens(storage: device.storage), with: slip)
    return DrillClient(
        signIn: { person in
            _ = try await finished { api.signIn(person.email, person.password, $0) }
        },
        call: DrillClient.completing { api.call("GET", "posts", $0) },
        otherCalls: [DrillClient.completing { api.call("GET", "profile", $0) }],
        write: DrillClient.completing { api.call("POST", "posts", $0) },
        refresh: DrillClient.completing { api.refresh($0) },
        signOut: DrillClient.completing { api.signOut($0) },
        isSignedIn: {
            await withUnsafeContinuation { done in api.isSignedIn { done.resume(returning: $0) } }
        })
}

/// Waits for a completion handler.
private func finished(
    _ body: (@escaping QueueClient.Done) -> Void
) async throws -> Data {
    try await withUnsafeThrowingContinuation { done in body { done.resume(with: $0) } }
}
