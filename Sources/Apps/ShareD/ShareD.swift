internal import Client
internal import HTTP
internal import Synchronization

/// Share.D, questions about presents: start reading its code here.
///
/// The token design is in `ShareDInterceptor`; which calls pass it is in `ShareDAPI`. The flows
/// behind the screens are in `ShareD+Account`, `ShareD+Shop` and `ShareD+Community`.
final class ShareD: MobileApp {
    static let name = "shareD"
    static let about = "Share.D: questions about presents from a shop; comments, likes, payment."
    static let designs = ["asBuilt"]
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
        api = ShareDAPI(device: device, storage: storage)
        images = ImageLoader(beside: api.session)
        choices = TapChoices(device, "shareD.choice")
        buttons = ShareDButtons(
            validateEmail: ThrottledTaps(windowSeconds: 2, time: device.environment.time),
            join: ThrottledTaps(windowSeconds: 2, time: device.environment.time))
    }

    var needsSignIn: Bool { screen.withLock { $0.showsLogin } || storage.access.isEmpty }

    func beginStep(_ ordinal: UInt32) { api.session.beginStep(ordinal) }

    func restore(_ account: StoredAccount) { storage.restore(account) }

    /// The toast of a status; 418 alone would lead to the sign-in screen, and never arrives.
    func toast(_ status: Int, on place: ShareDText.Screen) -> StepOutcome {
        let text = ShareDText(status: status, on: place)
        guard text == .loginExpired else { return .toast(text.rawValue) }
        screen.withLock { $0.showsLogin = true }
        return .loggedOut
    }

    /// A profile picture, beside the interceptor; also asked for with an empty path.
    func loadImage(_ path: String) async {
        _ = await images.load(api.request(.image(path: path)))
    }
}

/// The two buttons with a throttle; nothing else in the app has one.
struct ShareDButtons: Sendable {
    let validateEmail, join: ThrottledTaps
}
