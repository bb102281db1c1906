import SquallApps
import SquallClient
import SquallHTTP

/// OOTD's calls, each a `Single` with a result of the app's own type, by Moya 15's rules.
///
/// - Responses are not serialized, so the retrier is asked once, after validation, and never about
///   a body that does not decode.
/// - The app's own targets were never published; their validation must accept success codes only,
///   or no 419 would ever reach the retrier.
/// - A failure keeps the original response: when a refresh fails with 418, the caller sees the 419.
/// - A `Single` that fails ends the stream it was merged into, and with it the button; so errors
///   are emitted as values. One case was forgotten: a 200 that does not decode emits nothing.
struct OOTDAPI: Sendable {
    let session: Session
    /// Sends calls that need no token; as built the session of all others.
    private let open: Session
    /// The reference design's tokens; `nil` as built.
    let tokens: (any TokenKeeper)?

    /// All calls through one session, as built, or those without a token through another.
    init(session: Session, open: Session? = nil, tokens: (any TokenKeeper)? = nil) {
        self.session = session
        self.open = open ?? session
        self.tokens = tokens
    }

    /// The calls of a design.
    init(device: Device, keychain: OOTDKeychain, design: TokenDesign) {
        guard design != .asBuilt else {
            self.init(
                session: Session(
                    environment: device.environment, user: device.user,
                    interceptor: OOTDInterceptor(keychain: keychain)))
            return
        }
        let sessions = ReferenceSessions(
            device: device, store: keychain, refresh: .year2023(key: LSLP.Key.ootd),
            design: design
        ) { keychain.removeAll() }
        self.init(session: sessions.session, open: sessions.open, tokens: sessions.tokens)
    }

    /// A call whose response is decoded, as a form where it has one.
    func single<Value: Decodable & Sendable>(
        _ call: AppCall<OOTD>, as type: Value.Type, form: ((inout MultipartFormData) -> Void)? = nil
    ) async -> Emission<Value, OOTDCommonError> {
        let (session, request) = (call.isOpen ? open : session, call.request)
        let made = form.map { session.upload(multipartFormData: $0, with: request) }
        let answer = await (made ?? session.request(request)).validate(statusCode: 200...299)
            .serializingResponse().response
        guard answer.error == nil else {
            return .failure(OOTDCommonError(status: answer.decidingStatus ?? -1))
        }
        guard let body = answer.data,
            let value = try? session.environment.decoder.decode(type, from: body)
        else { return .nothing }
        return .success(value)
    }
}
