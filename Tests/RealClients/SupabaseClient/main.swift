import Auth
import Foundation
import RealClients
import Squall

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where an app on Linux keeps a session; on a phone it is the keychain.
final class Memory: AuthLocalStorage, @unchecked Sendable {
    // Safe because each access is under the lock.
    private let lock = NSLock()
    private var values: [String: Data] = [:]

    func store(key: String, value: Data) { lock.withLock { values[key] = value } }
    func retrieve(key: String) -> Data? { lock.withLock { values[key] } }
    func remove(key: String) { lock.withLock { values[key] = nil } }
}

/// Signs in, waits until the session is over, and asks for it as often as there are calls.
let client = RealClient(
    "supabase Auth", refreshesOnce: true, kinds: [.read, .json, .form, .data, .stream]
) { real in
    let far = real.mount(.supabase(routes: real.routes))
    let auth = AuthClient(
        url: far.url.appendingPathComponent("auth/v1"), localStorage: Memory(),
        autoRefreshToken: false)
    let person = far.credentials()
    try await auth.signIn(email: person.email, password: person.password)
    try await ContinuousClock().sleep(for: .seconds(3_600))
    return { call in
        var request = call.request
        let token = try await auth.session.accessToken
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }
}
try client.play()
