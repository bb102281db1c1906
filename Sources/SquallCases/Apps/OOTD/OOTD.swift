import SquallApps
import SquallClient
import SquallHTTP
import Synchronization

/// OOTD, outfits of the day: start reading its code here.
///
/// The token design as built is in `OOTDInterceptor` and `OOTDKeychain`. Its code is older than the
/// other apps' and speaks to the server of 2023. The feed was announced but never published: that
/// one flow is ours.
final class OOTD: MobileApp {
    static let name = "ootd"
    static let about = "OOTD: outfits of the day on the server of 2023; sign-up, login, one post."
    static let designs = OOTDDesign.allCases.map(\.rawValue)
    static let origin = LSLP.origin2023
    static let isolatesUsers = true
    static let product = "test0204"
    static let callKinds: [CallKind] = [.model, .upload, .picture]

    let device: Device
    let keychain: OOTDKeychain
    let api: OOTDAPI
    let images: ImageLoader
    let choices: TapChoices
    /// All have a throttle of a second that lets the last tap pass at its end.
    let buttons = ThrottledButtons<CallName>()

    /// True if an error ends the stream of its button.
    let endsStreams: Bool
    /// The buttons on the present screens whose streams have ended.
    let ended = Mutex<Set<CallName>>([])

    /// True as soon as the editor that is open has posted.
    let hasPosted = Mutex(false)

    let feed = Mutex(OOTDFeed())
    /// Only the response to the newest of several calls is shown.
    let emailChecks = LatestOnly()
    let joins = LatestOnly()

    init(device: Device, design: String) {
        let keychain = OOTDKeychain(time: device.environment.time)
        self.device = device
        self.keychain = keychain
        let design = OOTDDesign(rawValue: design) ?? .asBuilt
        endsStreams = design == .failingSingle
        api = OOTDAPI(device: device, keychain: keychain, design: design.tokens)
        images = ImageLoader(beside: api.session, interceptor: api.tokens)
        choices = TapChoices(device, "ootd.choice")
    }

    /// Without tokens the user can do nothing else; as built no user is ever signed out.
    ///
    /// Every start of the app shows the sign-in screen, whatever the Keychain holds: that is a step
    /// of the journeys.
    var needsSignIn: Bool { keychain.read(.token) == nil }

    func beginStep(_ ordinal: UInt32) { api.session.beginStep(ordinal) }

    func restore(_ account: StoredAccount) {
        keychain.restore(token: account.accessToken, refreshToken: account.refreshToken)
    }

    var storedTokens: TokenPair {
        TokenPair(
            access: keychain.read(.token) ?? "", refresh: keychain.read(.refreshToken) ?? "")
    }

    var snapshot: AppSnapshot {
        var snapshot = AppSnapshot()
        let posts = feed.withLock { $0.rows.map(\.id) }
        snapshot.lists = [ShownList(productID: Self.product, posts: posts)]
        snapshot.expiredPictures = images.expiredDownloads
        return snapshot
    }

    func processStarted() { ended.withLock { $0 = [] } }

    /// The outcome of a tap on a dead button.
    static let deadButton = StepOutcome.missing("deadButton")

    func taps(_ call: CallName) -> ThrottledTaps {
        buttons.taps(call, windowSeconds: 1, at: device.environment.time)
    }

    /// True as soon as an error has ended a button's stream: a tap then silently does nothing.
    ///
    /// As built that never happens, because errors are values.
    func isDead(_ call: CallName) -> Bool { ended.withLock { $0.contains(call) } }

    /// The result of a button's call; where errors are failures, the first one ends the stream.
    func single<Value: Decodable & Sendable>(
        _ call: AppCall<OOTD>, as type: Value.Type, form: ((inout MultipartFormData) -> Void)? = nil
    ) async -> Emission<Value, OOTDCommonError> {
        let answer = await api.single(call, as: type, form: form)
        if endsStreams, answer.error != nil { ended.withLock { _ = $0.insert(call.name) } }
        return answer
    }

    /// The outcome of an emission on the screen.
    ///
    /// Only the e-mail check has a label for errors; all others are only printed to the log. An
    /// emission of nothing leaves the screen unchanged. On the reference design the end of the
    /// session leads to the sign-in screen.
    func shown<Value>(
        _ emission: Emission<Value, OOTDCommonError>, of call: CallName
    ) -> StepOutcome {
        switch emission {
        case .success: return .rendered
        case .nothing: return .stuck("\(call)")
        case .failure(.refreshTokenExpired) where api.tokens != nil: return .loggedOut
        case .failure(let error):
            let text = error.text(of: call)
            if call == .validateEmail { return .toast(text.isEmpty ? "\(error).noText" : text) }
            return .missing(text.isEmpty ? "\(call)" : text)
        }
    }
}

/// The part of the feed that further scrolling needs.
struct OOTDFeed: Sendable {
    /// The pages as they came, which all phones share.
    var rows = SharedList<OOTDPost>(stretches: [])
    var cursor = ""
}

/// Single calls, each made the way a screen makes it.
extension OOTD {
    func call(_ kind: CallKind) async -> StepOutcome {
        switch kind {
        case .upload: await post("", pictures: 1)
        case .picture:
            await images.load(CallKind.somePicture, as: image) ? .rendered : .missing("picture")
        default: await openFeed()
        }
    }
}

/// OOTD's designs: the final one, those that all apps can have, and the one before.
enum OOTDDesign: String, CaseIterable, Sendable {
    /// Errors are emitted as values.
    case asBuilt
    /// The design that all apps can have instead of their own: `ReferenceSessions`.
    case reference
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
    /// The design at the beginning of its notes: an error is a failure of its `Single`, which ends
    /// the stream it was merged into. The button is dead until its screen is made again.
    case failingSingle

    var tokens: TokenDesign { TokenDesign(rawValue: rawValue) ?? .asBuilt }
}
