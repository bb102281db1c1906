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
    let images: ImageLoader
    let choices: TapChoices
    let buttons: ShareDButtons

    /// What the screens show, as far as later taps depend on it.
    let screen = Mutex(ShareDScreen())
    /// Of several searches under way only the newest one's result is shown.
    let shopSearches = LatestOnly()

    init(device: Device, design: String) {
        let storage = ShareDStorage()
        self.device = device
        self.storage = storage
        api = ShareDAPI(
            device: device, storage: storage, design: ShareDDesign(rawValue: design) ?? .asBuilt)
        images = ImageLoader(beside: api.session, interceptor: api.tokens)
        choices = TapChoices(device, "shareD.choice")
        buttons = ShareDButtons(
            validateEmail: ThrottledTaps(windowSeconds: 2, time: device.environment.time),
            join: ThrottledTaps(windowSeconds: 2, time: device.environment.time))
    }

    var needsSignIn: Bool { screen.withLock { $0.showsLogin } || storage.access.isEmpty }

    func beginStep(_ ordinal: UInt32) { api.session.beginStep(ordinal) }

    func restore(_ account: StoredAccount) { storage.restore(account) }

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
        snapshot.expiredPictures = images.expiredDownloads
        return snapshot
    }

    /// The toast of a status; 418 alone would lead to the sign-in screen, and as built never
    /// arrives.
    func toast(_ status: Int, on place: ShareDText.Screen) -> StepOutcome {
        let text = ShareDText(status: status, on: place)
        guard text == .loginExpired else { return .toast(text.rawValue) }
        screen.withLock { $0.showsLogin = true }
        return .loggedOut
    }

    /// A profile picture, as built beside the interceptor; also asked for with an empty path.
    func loadImage(_ path: String) async {
        _ = await images.load(path) { api.request(.image(path: $0)) }
    }
}

/// The two buttons with a throttle; nothing else in the app has one.
struct ShareDButtons: Sendable {
    let validateEmail, join: ThrottledTaps
}
