import SquallApps
import SquallClient
import SquallHTTP
import Synchronization

/// Share.D, questions about presents: start reading its code here.
///
/// The token design as built is in `ShareDInterceptor`, the others in `ShareDDesign`; which calls
/// pass the interceptor is in `ShareDAPI`. The flows behind the screens are in `ShareD+Account`,
/// `ShareD+Shop` and `ShareD+Community`.
final class ShareD: MobileApp {
    static let name = "shareD"
    static let about = "Share.D: questions about presents from a shop; comments, likes, payment."
    static let designs = ShareDDesign.allCases.map(\.rawValue)
    static let callKinds: [CallKind] = [.model, .account, .upload, .picture]

    let device: Device
    let storage: AppStorage
    let api: ShareDAPI
    let choices: TapChoices

    /// The sign-up button, the only one with a throttle.
    let buttons = ThrottledButtons<CallName>()
    /// Pictures whose places stayed empty because the token had expired.
    let expiredPictures = Mutex(0)

    /// The part of the screens' state that later taps depend on.
    let screen = Mutex(ShareDScreen())
    /// Only the result of the newest of several searches is shown.
    let shopSearches = LatestOnly()

    init(device: Device, design: String) {
        let storage = AppStorage()
        self.device = device
        self.storage = storage
        api = ShareDAPI(
            device: device, storage: storage, design: ShareDDesign(rawValue: design) ?? .asBuilt)
        choices = TapChoices(device, "shareD.choice")
    }

    var needsSignIn: Bool { screen.withLock { $0.showsLogin } || storage.access.isEmpty }

    func beginStep(_ ordinal: UInt32) { api.session.beginStep(ordinal) }

    func restore(_ account: StoredAccount) { storage.store(account) }

    var storedTokens: TokenPair { storage.tokens }

    var snapshot: AppSnapshot {
        var snapshot = AppSnapshot()
        screen.withLock { screen in
            snapshot.taps = screen.taps.all
            snapshot.lists = [
                ShownList(productID: ShareD.product, posts: screen.rows.map(\.postID))
            ]
        }
        snapshot.hasOrphanedSession = storage.hasOrphanedSession
        snapshot.expiredPictures = expiredPictures.withLock { $0 }
        return snapshot
    }

    /// The toast of a status; only 418 would lead to the sign-in screen.
    ///
    /// As built 418 never arrives; where nothing refreshes, 419 leads there.
    func toast(_ status: Int, on place: ShareDText.Screen) -> StepOutcome {
        let ends = status == 418 || status == 419 && api.design == .signInAgain
        guard ends, place.asksForTheLogin else {
            return .toast(ShareDText(status: status, on: place).rawValue)
        }
        // On the reference design a call of an earlier sign-in does not end the one of now; where
        // none is left, the empty storage shows the login.
        guard api.design != .reference || storage.access.isEmpty else { return .loggedOut }
        screen.withLock { $0.showsLogin = true }
        return .loggedOut
    }

    /// The outcome on a screen without texts for errors: all of them look for 418 only.
    func silent(
        _ status: Int, _ outcome: StepOutcome, on place: ShareDText.Screen
    ) -> StepOutcome {
        let toast = toast(status, on: place)
        return toast == .loggedOut ? toast : outcome
    }

    /// Loads a user's picture into its place on a screen; the app does not wait for it.
    ///
    /// It is a plain call, as built without the interceptor, on the app's own connections. It is
    /// not kept, so it is loaded every time, even with an empty path.
    func showImage(_ file: StoredFile) {
        let request = picture(file)
        Task { _ = await self.loaded(request) }
    }

    /// Loads a user's picture; returns true if it is on the screen then.
    func image(_ file: StoredFile) async -> Bool { await loaded(picture(file)) }

    private func picture(_ file: StoredFile) -> DataRequest {
        api.session.request(api.request(.file(file)))
            .validate(statusCode: ShareDAPI.acceptedStatuses)
    }

    private func loaded(_ picture: DataRequest) async -> Bool {
        let answer = await picture.serializingData().response
        if answer.error != nil, answer.response?.statusCode == 419 {
            expiredPictures.withLock { $0 += 1 }
        }
        return answer.value != nil
    }
}

/// Single calls, each made the way a screen makes it.
extension ShareD {
    func call(_ kind: CallKind) async -> StepOutcome {
        switch kind {
        case .account: await askToLeave()
        case .upload: await editProfile()
        case .picture: await image(CallKind.somePicture) ? .rendered : .missing("picture")
        default: await openCommunity()
        }
    }

    /// The settings' call about the user, without what the screen does beside it.
    private func askToLeave() async -> StepOutcome {
        guard let answer = await api.user(.withdraw, as: ShareDProfile.self) else {
            return .stuck("settings")
        }
        return answer.isSuccess ? .rendered : toast(answer.status, on: .settings)
    }
}

/// Share.D's token designs: the final one, the earlier ones, and the reference.
///
/// Each of the earlier ones was live for a while and has a story in the app's own notes.
enum ShareDDesign: String, CaseIterable, Sendable {
    /// An interceptor for each call: `ShareDInterceptor`.
    case asBuilt
    /// The design that all apps can have instead of their own: `ReferenceSessions`.
    case reference
    /// The third design, of 24 August 2024 (7048d68): a call that gets 419 subscribes to a refresh,
    /// and the subscription dies at the end of the statement.
    ///
    /// The refresh still runs and its token is stored, but the subscriber is gone: the call never
    /// ends. The next tap works.
    case disposedRefresh
    /// The second design, of 18 August 2024 (ad49521): the call is made again after the refresh,
    /// whose token is stored under a wrong key, the access token itself.
    ///
    /// The value under the right key never changes, so the call repeats without end, two calls each
    /// time. It was taken for a stale cache.
    case tokenUnderItself
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
    /// The first design, before 18 August 2024: nothing refreshes, and after a 419 the user has to
    /// sign in again.
    case signInAgain
}
