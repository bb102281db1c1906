internal import Client
internal import HTTP
internal import Synchronization

/// 이책저책, recommendations of books between readers: start reading its code here.
///
/// The token design is in `ThisBookAuthInterceptor`; which calls pass it is in `ThisBookAPI`. The
/// flows behind the screens are in the extensions, one for each part of the app.
final class ThisBookThatBook: MobileApp {
    static let name = "thisBookThatBook"
    static let about = "이책저책: readers recommend books; feeds, pictures, likes, payment per post."
    static let designs = ["asBuilt"]
    static let callKinds: [CallKind] = [.model, .account, .text, .upload, .picture]

    let device: Device
    let storage: ThisBookStorage
    let api: ThisBookAPI
    let images: ImageLoader
    let choices: TapChoices
    let buttons: ThisBookButtons

    /// What the screens show, as far as later taps depend on it.
    let screen = Mutex(ThisBookScreen())

    init(device: Device, design: String) {
        let storage = ThisBookStorage()
        self.device = device
        self.storage = storage
        api = ThisBookAPI(device: device, storage: storage)
        images = ImageLoader(beside: api.session)
        choices = TapChoices(device, "thisBookThatBook.choice")
        buttons = ThisBookButtons(time: device.environment.time)
    }

    var needsSignIn: Bool {
        screen.withLock { $0.showsLogin } || storage.accessToken.isEmpty
    }

    func beginStep(_ ordinal: UInt32) { api.session.beginStep(ordinal) }

    func restore(_ account: StoredAccount) {
        storage.store(
            userID: account.userID, accessToken: account.accessToken,
            refreshToken: account.refreshToken)
    }

    /// Shows an error: a toast, or for an expired session an alert that leads to the sign-in page.
    ///
    /// Every stream that fails shows an alert of its own, one above the other.
    func present(_ error: ThisBookError) -> StepOutcome {
        guard error == .expiredToken else { return .toast(error.rawValue) }
        screen.withLock { screen in
            screen.expiryAlerts += 1
            screen.showsLogin = true
        }
        return .loggedOut
    }

    /// What an emission leaves on the screen; a stream without one leaves it as it is.
    func shown<Value>(
        _ emission: Emission<Value, ThisBookError>, on screen: String
    ) -> StepOutcome {
        switch emission {
        case .success: .rendered
        case .failure(let error): present(error)
        case .nothing: .stuck(screen)
        }
    }

    /// The pictures of the rows on the screen: three of a post at the most, and its author's.
    func loadImages(of posts: [ThisBookPost]) async {
        let paths = posts.flatMap { post in
            post.files.prefix(3) + [post.creator.profileImage].compactMap { $0 }
        }
        await images.load(paths.map { api.request(.image(path: $0)) })
    }
}

/// The buttons with a throttle; all of them let the last tap of a window pass at its end.
struct ThisBookButtons: Sendable {
    let login, join, validateEmail, write: ThrottledTaps

    init(time: any TimeSource) {
        login = ThrottledTaps(windowSeconds: 5, time: time)
        join = ThrottledTaps(windowSeconds: 5, time: time)
        validateEmail = ThrottledTaps(windowSeconds: 5, time: time)
        write = ThrottledTaps(windowSeconds: 10, time: time)
    }
}
