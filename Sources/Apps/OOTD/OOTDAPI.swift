import Client
import HTTP

/// OOTD's calls, each a `Single` whose value is a result of the app's own.
///
/// A `Single` that fails ends the stream it was merged into, and with it the button; so errors are
/// emitted as values. A 200 that does not decode is still forgotten: it emits nothing at all.
struct OOTDAPI: Sendable {
    let provider: MoyaProvider<OOTDTarget>

    init(session: Session) { provider = MoyaProvider(session: session) }

    var session: Session { provider.session }

    func single<Value: Decodable & Sendable>(
        _ target: OOTDTarget, as type: Value.Type
    ) async -> Emission<Value, OOTDCommonError> {
        switch await provider.request(target) {
        case .success(let response):
            let decoder = session.environment.decoder
            guard let body = response.body,
                let value = try? decoder.decode(type, from: body)
            else { return .nothing }
            return .success(value)
        case .failure(let error):
            return .failure(OOTDCommonError(status: error.response?.statusCode ?? -1))
        }
    }
}
