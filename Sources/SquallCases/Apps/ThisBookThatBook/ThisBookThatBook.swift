import SquallApps
import SquallClient
import Synchronization

/// 이책저책, recommendations of books between readers: start reading its code here.
///
/// The token design as built is in `ThisBookAuthInterceptor`; which calls pass it is in
/// `ThisBookAPI`. The flows behind the screens are in the extensions, one for each part of the app.
final class ThisBookThatBook: MobileApp {
    static let name = "thisBookThatBook"
    static let about =
        "이책저책: readers recommend books; feeds, pictures, likes, payment per post."
    static let designs = ThisBookDesign.allCases.map(\.rawValue)
    static let callKinds: [CallKind] = [.model, .account, .text, .upload, .picture]

    let device: Device
    let design: ThisBookDesign
    let storage: AppStorage
    let api: ThisBookAPI
    let images: ImageLoader
    let choices: TapChoices
    let buttons = ThrottledButtons<ThisBookButton>()

    /// The part of the screens' state that later taps depend on.
    let screen = Mutex(ThisBookScreen())

    init(device: Device, design: String) {
        let storage = AppStorage()
        let design = ThisBookDesign(rawValue: design) ?? .asBuilt
        self.device = device
        self.design = design
        self.storage = storage
        api = ThisBookAPI(device: device, storage: storage, design: design)
        images = ImageLoader(beside: api.session, interceptor: api.tokens)
        choices = TapChoices(device, "thisBookThatBook.choice")
    }

    var needsSignIn: Bool {
        screen.withLock { $0.showsLogin || storage.access.isEmpty && !$0.outlivesSession }
    }

    func processStarted() {
        screen.withLock { $0 = ThisBookScreen(purchases: $0.purchases, taps: $0.taps) }
    }

    func beginStep(_ ordinal: UInt32) { api.session.beginStep(ordinal) }

    func restore(_ account: StoredAccount) { storage.store(account) }

    var storedTokens: TokenPair { storage.tokens }

    var snapshot: AppSnapshot {
        var snapshot = AppSnapshot()
        screen.withLock { screen in
            snapshot.taps = screen.taps.all
            snapshot.lists = zip(Self.products, screen.feeds).map { product, feed in
                ShownList(productID: product, posts: feed.rows.map(\.post.postID))
            }
        }
        snapshot.hasOrphanedSession = storage.hasOrphanedSession
        snapshot.expiredPictures = images.expiredDownloads
        return snapshot
    }

    /// Shows an error: a toast, or for an expired session an alert that leads to the sign-in page.
    ///
    /// Every stream that fails asks for an alert of its own; only the first one is shown, because a
    /// screen that presents already may not present a second. On the reference design no error ends
    /// the session: it is over when its tokens are gone.
    func present(_ error: ThisBookError) -> StepOutcome {
        guard api.tokens == nil else {
            return storage.access.isEmpty ? .loggedOut : .toast(error.rawValue)
        }
        guard error == .expiredToken else { return .toast(error.rawValue) }
        screen.withLock { screen in
            if !screen.showsLogin { screen.expiryAlerts += 1 }
            screen.showsLogin = true
        }
        return .loggedOut
    }

    /// Wipes what is stored when a screen learns that the session has expired.
    ///
    /// The interceptor has done so, unless the call passes it by; but a refresh beside it may have
    /// stored a token since.
    func wipeAgain() {
        if api.tokens == nil { storage.wipe() }
    }

    /// The outcome of an emission on the screen; a stream without one leaves the screen unchanged.
    func shown<Value>(
        _ emission: Emission<Value, ThisBookError>, on screen: String
    ) -> StepOutcome {
        switch emission {
        case .success: .rendered
        case .failure(let error): present(error)
        case .nothing: .stuck(screen)
        }
    }

    /// The outcome of an emission beside what the screen shows already: without one nothing
    /// changes, and the user goes on or back.
    func shownOrLeft<Value>(
        _ emission: Emission<Value, ThisBookError>, on screen: String
    ) -> StepOutcome {
        if case .nothing = emission { .missing(screen) } else { shown(emission, on: screen) }
    }

    /// How many rows of a list are in sight at once; not measured, a row is half a screen high.
    static let rowsInSight = 3

    /// Loads the pictures of rows that come into sight: at most three of a post, and its author's.
    ///
    /// The app does not wait for them.
    func showImages(of posts: some Sequence<ThisBookPost>) {
        images.show(
            posts.flatMap { post in
                post.files.prefix(3) + [post.creator.profileImage].compactMap { $0 }
            }, as: api.picture)
    }
}

/// The buttons behind a throttle; in a design that does not guard them every tap passes at once.
enum ThisBookButton: Sendable {
    case login, join, validateEmail, searchBooks, write
}

extension ThisBookThatBook {
    func taps(_ button: ThisBookButton) -> ThrottledTaps {
        let windowSeconds: Int64 = !design.guardsButtons ? 0 : button == .write ? 10 : 5
        return buttons.taps(button, windowSeconds: windowSeconds, at: device.environment.time)
    }
}

/// Single calls, each made the way a screen makes it.
extension ThisBookThatBook {
    func call(_ kind: CallKind) async -> StepOutcome {
        switch kind {
        case .account: shown(await api.fetch(.myProfile, as: ThisBookProfile.self), on: "profile")
        case .text: shown(await api.delete(.deletePost(id: CallKind.noID)), on: "feed")
        case .upload:
            shown(
                await api.upload([Photo(.png, kilobytes: 1_000...1_000, choices: choices)]),
                on: "editor")
        case .picture: await showPicture()
        default:
            shown(
                await api.fetch(
                    .posts(next: "", productID: "tbtb_recommend"), as: ThisBookPage.self),
                on: "feed")
        }
    }

    private func showPicture() async -> StepOutcome {
        let isShown = await images.load(CallKind.somePicture, as: api.picture)
        return isShown ? .rendered : .missing("picture")
    }
}

/// 이책저책's designs: the final one, those that all apps can have, and its own earlier ones.
///
/// The earlier ones are described in the app's notes. A call that is younger than a design is made
/// as that design made other calls.
enum ThisBookDesign: String, CaseIterable, Sendable {
    /// An interceptor for all calls: `ThisBookAuthInterceptor`.
    case asBuilt
    /// The design that all apps can have instead of their own: `ReferenceSessions`.
    case reference
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
    /// The first design as its notes tell it: each method refreshes on its own when it gets 419,
    /// and calls itself again. Uploads and deletions refreshed then.
    case recursiveRefresh
    /// `recursiveRefresh` as it was committed before d8fad21: the refresh's completion is called
    /// for errors only, so the token is stored, but the method is never called again and never
    /// returns.
    case unheardRefresh
    /// Pictures are loaded by their addresses alone, without key and token.
    case plainPictures
    /// Buttons without a throttle, and fields that are sent unchecked.
    case unguardedButtons

    var tokens: TokenDesign { TokenDesign(rawValue: rawValue) ?? .asBuilt }
    /// True if each method refreshes by itself, as later an interceptor does for all calls.
    var refreshesInMethods: Bool { self == .recursiveRefresh || self == .unheardRefresh }
    /// True if a button lets one tap of a window pass, and only plausible input is sent.
    var guardsButtons: Bool { self != .unguardedButtons }
}
