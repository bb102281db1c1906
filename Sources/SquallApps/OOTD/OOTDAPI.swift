import SquallClient
import SquallHTTP

/// OOTD's calls, each a `Single` with a result of the app's own type.
///
/// A `Single` that fails ends the stream it was merged into, and with it the button; so errors are
/// emitted as values. One case was forgotten: a 200 that does not decode emits nothing.
struct OOTDAPI: Sendable {
    let provider: MoyaProvider<OOTDTarget>
    /// For calls that need no token; as built the same provider.
    private let open: MoyaProvider<OOTDTarget>
    /// The reference design's tokens; `nil` as built.
    let tokens: (any TokenKeeper)?

    /// All calls through one session, as built.
    init(session: Session) {
        provider = MoyaProvider(session: session)
        open = provider
        tokens = nil
    }

    /// The calls of a design.
    init(device: Device, keychain: OOTDKeychain, design: TokenDesign) {
        switch design {
        case .asBuilt:
            self.init(
                session: Session(
                    environment: device.environment, user: device.user,
                    interceptor: OOTDInterceptor(keychain: keychain)))
        case .reference, .authenticationInterceptor:
            self.init(
                ReferenceSessions(
                    device: device, store: keychain, refresh: .year2023(key: LSLP.Key.ootd),
                    design: design
                ) { keychain.removeAll() })
        }
    }

    private init(_ sessions: ReferenceSessions) {
        provider = MoyaProvider(session: sessions.session)
        open = MoyaProvider(session: sessions.open)
        tokens = sessions.tokens
    }

    var session: Session { provider.session }

    func single<Value: Decodable & Sendable>(
        _ target: OOTDTarget, as type: Value.Type
    ) async -> Emission<Value, OOTDCommonError> {
        switch await (target.isOpen ? open : provider).request(target) {
        case .success(let response):
            let decoder = session.environment.decoder
            guard let body = response.body,
                let value = try? decoder.decode(type, from: body)
            else { return .nothing }
            return .success(value)
        case .failure(let error):
            return .failure(OOTDCommonError(status: error.decidingStatus ?? -1))
        }
    }
}
