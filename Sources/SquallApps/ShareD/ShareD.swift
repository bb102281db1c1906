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
    let storage: ShareDStorage
    let api: ShareDAPI
    let choices: TapChoices

    /// The sign-up button, the only one with a throttle.
    let joinTaps: ThrottledTaps
    /// Pictures whose places stayed empty because the token had expired.
    let expiredPictures = Mutex(0)

    /// The part of the screens' state that later taps depend on.
    let screen = Mutex(ShareDScreen())
    /// Only the result of the newest of several searches is shown.
    let shopSearches = LatestOnly()

    init(device: Device, design: String) {
        let storage = ShareDStorage()
        self.device = device
        self.storage = storage
        api = ShareDAPI(
            device: device, storage: storage, design: ShareDDesign(rawValue: design) ?? .asBuilt)
        choices = TapChoices(device, "shareD.choice")
        joinTaps = ThrottledTaps(windowSeconds: 2, time: device.environment.time)
    }

    var needsSignIn: Bool { screen.withLock { $0.showsLogin } || storage.access.isEmpty }

    func beginStep(_ ordinal: UInt32) { api.session.beginStep(ordinal) }

    func restore(_ account: StoredAccount) { storage.restore(account) }

    var storedTokens: TokenPair { TokenPair(access: storage.access, refresh: storage.refresh) }

    var snapshot: AppSnapshot {
        var snapshot = AppSnapshot()
        screen.withLock { screen in
            snapshot.taps = screen.taps.all
            snapshot.lists = [
                ShownList(productID: ShareDRequest.product, posts: screen.rows.map(\.postID))
            ]
        }
        snapshot.hasOrphanedSession =
            !storage.access.isEmpty && (storage.userID.isEmpty || storage.refresh.isEmpty)
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
    func showImage(_ path: String) {
        let request = picture(path)
        Task { _ = await self.loaded(request) }
    }

    /// Loads a user's picture; returns whether it is there.
    func image(_ path: String) async -> Bool { await loaded(picture(path)) }

    private func picture(_ path: String) -> DataRequest {
        api.session.request(api.request(.image(path: path)))
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
