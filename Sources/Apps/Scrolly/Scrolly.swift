internal import Client
internal import Synchronization

/// Scrolly, a reader of serial novels: start reading its code here.
///
/// The flows behind its screens are in `Scrolly+Home`, `Scrolly+Reading` and `Scrolly+Account`; the
/// token design as built is in `ScrollyRetryInterceptor`.
final class Scrolly: MobileApp {
    static let name = "scrolly"
    static let about = "Serial novels: lists, episodes as PDF, comments, payment per episode."
    static let designs = TokenDesign.allCases.map(\.rawValue)
    static let callKinds: [CallKind] = [.model, .bytes, .status, .upload, .picture]

    let device: Device
    let storage: ScrollyStorage
    let api: ScrollyAPI
    let scene: ScrollyScene
    let choices: TapChoices

    /// What the screens show, as far as later taps depend on it.
    let screen = Mutex(ScrollyScreen())

    init(device: Device, design: String) {
        let storage = ScrollyStorage()
        let scene = ScrollyScene()
        self.device = device
        self.storage = storage
        self.scene = scene
        choices = TapChoices(device, "scrolly.choice")
        api = ScrollyAPI(
            device: device, storage: storage, scene: scene,
            design: TokenDesign(rawValue: design) ?? .asBuilt)
        scene.onReplacement { [weak self] in self?.replaceRoot() }
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
    /// How many category tabs this main screen has loaded; each loads once.
    var loadedTabs = 0
}

/// An episode as far as reading or buying it needs; a class, so that idle readers hold a reference.
final class ScrollyEpisode: Sendable {
    let postID: String
    let document: String
    let price: Int

    init(postID: String, document: String, price: Int) {
        self.postID = postID
        self.document = document
        self.price = price
    }
}
