import SquallApps
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
    let api: ScrollyAPI
    let scene: ScrollyScene
    let images: ImageLoader
    let choices: TapChoices

    let buttons = ThrottledButtons<CallName>()

    /// The part of the screens' state that later taps depend on.
    let screen = Mutex(ScrollyScreen())

    init(device: Device, design: String) {
        let storage = AppStorage(keepsUser: true)
        let scene = ScrollyScene()
        let design = ScrollyDesign(rawValue: design) ?? .asBuilt
        self.device = device
        self.design = design
        self.scene = scene
        choices = TapChoices(device, "scrolly.choice")
        api = ScrollyAPI(
            device: device, storage: storage, scene: scene, design: design.tokens)
        images = ImageLoader(beside: api.session, interceptor: api.tokens)
        scene.show(self)
    }

    deinit { scene.show(nil) }

    var storage: AppStorage { api.storage }

    var storedTokens: TokenPair { storage.tokens }

    var snapshot: AppSnapshot {
        var snapshot = AppSnapshot()
        snapshot.hasOrphanedSession = storage.hasOrphanedSession
        snapshot.expiredPictures = images.expiredDownloads
        return snapshot
    }
}

/// The part of Scrolly's screens that decides which requests a later tap sends.
struct ScrollyScreen: Sendable {
    /// The novel a tap on the main screen opens.
    var novelTag: String?
    /// The free episode a tap on the novel's screen opens.
    var freeEpisode: ScrollyEpisode?
    /// The locked episode a tap on the novel's screen offers for sale.
    var paidEpisode: ScrollyEpisode?
    /// The user's newest comment on the open episode.
    var comment: String?
    /// The episode that is being read.
    var readEpisode: ScrollyEpisode?
    /// The sections of the newest main screen.
    var main = ScrollyMain()
    /// Where the episodes' next page begins, empty before the first; the end, `"0"`, is not stored.
    var episodeCursor = ""
    /// Where the viewed list's next page begins, by the same rule.
    var viewedCursor = ""
    // Small ones side by side, because a million readers keep them.
    /// The category tabs of this main screen.
    var tabs = ScrollyTabs()
    /// How many replaced main screens this process keeps: as built none of them is ever freed.
    var replacedMains: UInt16 = 0
    /// True as soon as this process has made a main screen.
    var hasMain = false
    /// True if the list of viewed episodes that came last contains the open one.
    var isMarkedViewed = false
    /// True if the list of episodes has the row that loads more when it comes into sight.
    var hasLongList = false
    /// An episode of the section of those last read, whose tap opens its novel.
    var recent: ScrollyRecent?
    /// The purchases that the user remembers.
    var purchases: [String] = []

    /// Replaces everything that was shown by a new main screen, and keeps the old main screens or
    /// not.
    mutating func makeMain(keepingReplaced keeps: Bool) {
        let replaced = keeps ? replacedMains + (hasMain ? 1 : 0) : 0
        self = ScrollyScreen(replacedMains: replaced, hasMain: true, purchases: purchases)
    }

    /// Replaces this novel's screen by another novel's, still empty.
    mutating func leaveNovel() {
        emptyList()
        (episodeCursor, viewedCursor) = ("", "")
    }

    /// Empties the list after a page of episodes has failed, earlier ones included.
    mutating func emptyList() {
        (freeEpisode, paidEpisode, comment) = (nil, nil, nil)
        hasLongList = false
    }
}

/// The category tabs that were opened, and those that stay empty.
struct ScrollyTabs: Sendable {
    var opened = TabSet()
    var empty = TabSet()

    /// A set of at most eight tabs, in a byte: a million readers keep them.
    struct TabSet: Sendable {
        private var bits: UInt8 = 0

        func contains(_ tab: Int) -> Bool { bits & 1 << tab != 0 }

        mutating func insert(_ tab: Int) -> (inserted: Bool, tab: Int) {
            defer { bits |= 1 << tab }
            return (!contains(tab), tab)
        }
    }
}

/// The four sections of the main screen, combined by their latest answers.
///
/// Once each section has an answer, every further one draws all four: a reload draws four times,
/// and the first three draws show sections of two loads side by side.
struct ScrollyMain: Sendable {
    /// The load whose response each section shows, 0 before the first.
    ///
    /// Four small numbers in a word, because a million readers keep them.
    private var shown = SIMD4<UInt16>.zero
    private var loads: UInt16 = 0
    /// How often all four sections were drawn.
    private(set) var draws: UInt32 = 0

    /// Begins a load; returns its number.
    mutating func begin() -> UInt16 {
        loads &+= 1
        return loads
    }

    /// Shows a response; returns true if it replaced a newer one.
    mutating func show(_ section: Int, of load: UInt16) -> Bool {
        defer {
            shown[section] = load
            if shown.min() > 0 { draws += 1 }
        }
        return shown[section] > load
    }
}

/// The part of a last-read episode that opening its novel needs.
final class ScrollyRecent: Sendable {
    let parentID: String
    let tag: String

    init(parentID: String, tag: String) {
        self.parentID = parentID
        self.tag = tag
    }
}

/// The part of an episode that reading or buying needs; a class, so that idle readers hold a
/// reference.
final class ScrollyEpisode: Sendable {
    let postID: String
    let document: StoredFile
    let price: Int
    let cover: StoredFile?

    init(postID: String, document: StoredFile, price: Int, cover: StoredFile? = nil) {
        self.postID = postID
        self.document = document
        self.price = price
        self.cover = cover
    }
}

/// Single calls, each made the way a screen makes it.
extension Scrolly {
    func call(_ kind: CallKind) async -> StepOutcome {
        switch kind {
        case .bytes:
            await shown(
                outcome(of: [await api.data(.file("uploads/posts/novel_m1_1.pdf"))]))
        case .status: await deleteNothing()
        case .upload:
            await shown(
                outcome(of: [
                    await api.upload([Photo(.jpeg, kilobytes: 100...100, choices: choices)])
                ]))
        case .picture: await showPicture()
        default: await showNovels()
        }
    }

    private func deleteNothing() async -> StepOutcome {
        let target = AppCall<Scrolly>.deleteComment(postID: CallKind.noID, commentID: CallKind.noID)
        return await shown(outcome(of: [await api.status(target)]))
    }

    private func showPicture() async -> StepOutcome {
        await images.load(CallKind.somePicture, as: cover) ? .rendered : .missing("picture")
    }

    private func showNovels() async -> StepOutcome {
        let target = AppCall<Scrolly>.posts(limit: 20, productID: Scrolly.novels)
        return await shown(outcome(of: [await api.decoded(target, as: ScrollyPage.self)]))
    }
}

/// Scrolly's designs: the one it was built with, those that all apps can have, and one of its own.
enum ScrollyDesign: String, CaseIterable, Sendable {
    /// The app's own, faults included.
    case asBuilt
    /// The design that all apps can have instead of their own: `ReferenceSessions`.
    case reference
    /// Alamofire's own interceptor: `AuthenticationTokens`.
    case authenticationInterceptor
    /// As built but for one word: the main screen's delegate is weak, so a replaced main screen is
    /// freed and loads nothing any more.
    ///
    /// No version of the app has that change; it is here for comparison.
    case weakDelegate

    var tokens: TokenDesign { TokenDesign(rawValue: rawValue) ?? .asBuilt }
    /// True if replaced main screens stay and load.
    var keepsReplacedMains: Bool { self != .weakDelegate }
}
