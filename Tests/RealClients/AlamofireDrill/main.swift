import Alamofire
import Foundation
import RealClients
import Squall

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tokens as an app keeps them.
struct Pair: AuthenticationCredential, Codable {
    let access: String
    let refresh: String
    var requiresRefresh: Bool { false }
}

/// What a token endpoint answers.
struct Grant: Decodable {
    let access_token: String
    let refresh_token: String?
}

/// The person's sign-in is over.
struct SignedOut: Error {}

/// Keeps tokens, and refreshes them for Alamofire's interceptor, as its documentation has it.
final class Vault: Authenticator, @unchecked Sendable {
    // Safe because a world has one thread.

    let base: URL
    let open: Session
    private let storage: DrillStorage

    init(_ device: DrillDevice) {
        (base, storage) = (device.url, device.storage)
        open = Session(configuration: device.sessionConfiguration)
    }

    var kept: Pair? {
        storage["tokens"].flatMap { try? JSONDecoder().decode(Pair.self, from: Data($0.utf8)) }
    }

    func keep(_ pair: Pair?) {
        storage["tokens"] = pair.flatMap { try? JSONEncoder().encode($0) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    func apply(_ credential: Pair, to request: inout URLRequest) {
        request.headers.add(.authorization(bearerToken: credential.access))
    }

    func refresh(
        _ credential: Pair, for session: Session,
        completion: @escaping @Sendable (Result<Pair, any Error>) -> Void
    ) {
        let fields = ["grant_type": "refresh_token", "refresh_token": credential.refresh]
        open.request(
            base.appendingPathComponent("oauth/token"), method: .post, parameters: fields
        ).validate().responseDecodable(of: Grant.self) { [self] answer in
            switch answer.result {
            case .success(let grant):
                let pair = Pair(
                    access: grant.access_token, refresh: grant.refresh_token ?? credential.refresh)
                keep(pair)
                completion(.success(pair))
            case .failure(let error):
                if [400, 401].contains(answer.response?.statusCode) {
                    keep(nil)
                    return completion(.failure(SignedOut()))
                }
                completion(.failure(error))
            }
        }
    }

    func didRequest(
        _ request: URLRequest, with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool { response.statusCode == 401 }

    func isRequest(_ request: URLRequest, authenticatedWith credential: Pair) -> Bool {
        let shown = HTTPHeader.authorization(bearerToken: credential.access).value
        return request.headers["Authorization"] == shown
    }
}

/// An app on that interceptor: signing in and out gives it another credential.
final class App: @unchecked Sendable {
    // Safe because a world has one thread.

    private let vault: Vault
    private let interceptor: AuthenticationInterceptor<Vault>
    private let session: Session

    init(_ device: DrillDevice) {
        vault = Vault(device)
        interceptor = AuthenticationInterceptor(authenticator: vault, credential: vault.kept)
        session = Session(configuration: device.sessionConfiguration, interceptor: interceptor)
    }

    func signIn(_ person: DrillPerson) async throws {
        let fields = [
            "grant_type": "password", "username": person.email, "password": person.password,
        ]
        let grant = try await vault.open.request(
            vault.base.appendingPathComponent("oauth/token"), method: .post, parameters: fields
        ).validate().serializingDecodable(Grant.self).value
        let pair = Pair(access: grant.access_token, refresh: grant.refresh_token ?? "")
        vault.keep(pair)
        interceptor.credential = pair
    }

    func signOut() {
        vault.keep(nil)
        interceptor.credential = nil
    }

    var isSignedIn: Bool { vault.kept != nil }

    func get(_ path: String) async throws {
        _ = try await session.request(vault.base.appendingPathComponent(path)).validate()
            .serializingData(emptyResponseCodes: [200]).value
    }

    func post(_ path: String) async throws {
        _ = try await session.request(vault.base.appendingPathComponent(path), method: .post)
            .validate()
            .serializingData(emptyResponseCodes: [200, 201]).value
    }
}

let service = TokenService(
    .bearer,
    routes: [.get("/posts", json: "[1]"), .get("/profile"), .post("/posts", status: 201)])

try playDrills(of: "Alamofire's AuthenticationInterceptor", over: service) { device in
    let app = App(device)
    return DrillClient(
        signIn: { try await app.signIn($0) }, call: { try await app.get("posts") },
        otherCalls: [{ try await app.get("profile") }],
        write: { try await app.post("posts") }, signOut: { app.signOut() },
        isSignedIn: { app.isSignedIn })
}
