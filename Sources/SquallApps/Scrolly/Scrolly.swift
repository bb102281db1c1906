import SquallClient
import Synchronization

/// Scrolly, a reader of serial novels: start reading its code here.
///
/// The flows behind its screens are in the extensions, one for each part of the app; the
/// token design as built is in `ScrollyRetryInterceptor`.
final class Scrolly: MobileApp {
    static let name = "scrolly"
    static let about = "Serial novels: lists, episodes as PDF, comments, payment per episode."
    static let designs = ScrollyDesign.allCases.map(\.rawValue)
    static let callKinds: [CallKind] = [.model, .bytes, .status, .upload, .picture]

    let device: Device
    let design: ScrollyDesign
    let storage: ScrollyStorage
    let api: ScrollyAPI
    let scene: ScrollyScene
    let images: ImageLoader
    let choices: TapChoices

    /// The sign-up button.
    let joinTaps: ThrottledTaps

    /// What the screens show, as far as later taps depend on it.
    let screen = Mutex(ScrollyScreen())

    init(device: Device, design: String) {
        let storage = ScrollyStorage()
        let scene = ScrollyScene()
        let design = ScrollyDesign(rawValue: design) ?? .asBuilt
        self.device = device
        self.design = design
        self.storage = storage
        self.scene = scene
        choices = TapChoices(device, "scrolly.choice")
        api = ScrollyAPI(
            device: device, storage: storage, scene: scene, design: design.tokens)
        images = ImageLoader(beside: api.session, interceptor: api.tokens)
        joinTaps = ThrottledTaps(windowSeconds: 1, time: device.environment.time)
        scene.onReplacement { [weak self] in self?.replaceRoot() }
    }

    var storedTokens: TokenPair {
        let tokens = storage.tokens
        return TokenPair(access: tokens.access, refresh: tokens.refresh)
    }

    var snapshot: AppSnapshot {
        var snapshot = AppSnapshot()
        let tokens = storage.tokens
        snapshot.hasOrphanedSession =
            !tokens.access.isEmpty && (tokens.refresh.isEmpty || storage.userID.isEmpty)
        snapshot.expiredPictures = images.expiredDownloads
        return snapshot
    }
}

/// The parts of Scrolly's screens that decide what a later tap asks for.
struct ScrollyScreen: Sendable {
    /// The novel a tap on the main screen opens.
    var novelTag: String?
    /// The free episode a tap on the novel's screen opens.
    var freeEpisode: ScrollyEpisode?
    /// The locked episode a tap on the novel's screen offers for sale.
    var paidEpisode: ScrollyEpisode?
    /// The person's newest comment on the open episode.
    var comment: String?
    /// The episode that is being read.
    var readEpisode: ScrollyEpisode?
    /// The category tabs of this main screen.
    var tabs = ScrollyTabs()
    /// The sections of the newest main screen.
    var main = ScrollyMain()
    /// Whether this process has made a main screen.
    var hasMain = false
    /// How many main screens this process keeps beside the newest: as built none of them ever dies.
    var replacedMains: UInt16 = 0
    /// Where the episodes' next page begins, empty before the first; the end, `"0"`, is not stored.
    var episodeCursor = ""
    /// Where the viewed list's next page begins, by the same rule.
    var viewedCursor = ""
    /// Whether the list of viewed episodes that came last holds the open one.
    var isMarkedViewed = false
    /// Whether the list of episodes has a row whose coming into sight asks for more.
    var hasLongList = false
    /// An episode of the section of those last read, whose tap opens its novel.
    var recent: ScrollyRecent?
    /// What the person remembers to have paid for.
    var purchases: [String] = []

    /// A new main screen takes the place of everything that was shown, and keeps those before it
    /// alive or not.
    mutating func makeMain(keepingReplaced keeps: Bool) {
        let replaced = keeps ? replacedMains + (hasMain ? 1 : 0) : 0
        self = ScrollyScreen(hasMain: true, replacedMains: replaced, purchases: purchases)
    }

    /// Another novel's screen takes the place of this one's, with nothing on it yet.
    mutating func leaveNovel() {
        emptyList()
        (episodeCursor, viewedCursor) = ("", "")
    }

    /// A page of episodes has failed: the list shows none, those from before included.
    mutating func emptyList() {
        (freeEpisode, paidEpisode, comment) = (nil, nil, nil)
        hasLongList = false
    }
}

/// The category tabs that were opened, and those of them that stay empty.
struct ScrollyTabs: Sendable {
    var opened = TabSet()
    var empty = TabSet()

    /// Some of at most eight tabs, in a byte: a million readers keep them.
    struct TabSet: Sendable {
        private var bits: UInt8 = 0

        func contains(_ tab: Int) -> Bool { bits & 1 << tab != 0 }

        mutating func insert(_ tab: Int) -> (inserted: Bool, tab: Int) {
            defer { bits |= 1 << tab }
            return (!contains(tab), tab)
        }
    }
}

/// The four sections of the main screen, as old as they are, combined by their latest answers.
///
/// Once each section has an answer, every further one draws all four: a reload draws four times,
/// and the first three show sections of two loads side by side.
struct ScrollyMain: Sendable {
    /// The load whose answer each section shows, 0 before the first.
    ///
    /// Four small numbers in a word, because a million readers keep them.
    private var shown = SIMD4<UInt16>.zero
    private var loads: UInt16 = 0
    /// How often all four sections were drawn.
    private(set) var draws = 0

    /// A load begins; its number.
    mutating func begin() -> UInt16 {
        loads &+= 1
        return loads
    }

    /// An answer has come; whether it took the place of a newer one.
    mutating func show(_ section: Int, of load: UInt16) -> Bool {
        defer {
            shown[section] = load
            if shown.min() > 0 { draws += 1 }
        }
        return shown[section] > load
    }
}

/// An episode of the section of those last read, as far as opening its novel needs it.
final class ScrollyRecent: Sendable {
    let parentID: String
    let tag: String

    init(parentID: String, tag: String) {
        self.parentID = parentID
        self.tag = tag
    }
}

/// An episode as far as reading or buying it needs; a class, so that idle readers hold a reference.
final class ScrollyEpisode: Sendable {
    let postID: String
    let document: String
    let price: Int
    let cover: String?

    init(postID: String, document: String, price: Int, cover: String? = nil) {
        self.postID = postID
        self.document = document
        self.price = price
        self.cover = cover
    }
}
