/// The parts of Share.D's screens that decide what a later tap asks for and what it changes.
struct ShareDScreen: Sendable {
    /// The community's questions.
    var rows: [ShareDPost] = []
    /// Where the community's next page begins; `"0"` after the last one.
    var cursor = ""
    /// The open question.
    var detail: ShareDPost?
    /// Whether the person likes it, as the next tap sees it: turned round by every tap, and set to
    /// true, never to false, by a reading.
    var isLiked = false
    /// Whether its heart is drawn filled, as the newest reading said.
    var showsHeart = false
    /// Its comments, newest first.
    var comments: [ShareDComment] = []
    /// The row of the newest tap on a comment's delete button.
    ///
    /// One for the screen, and read when an answer comes: by then it may be another tap's.
    var deletedRow = 0
    /// The products of the shop that are shown.
    var products: [NaverItem] = []
    /// Whether the sign-in screen is shown.
    var showsLogin = false
    /// What the person remembers to have paid for.
    var purchases: [String] = []
    /// What the person remembers to have liked.
    var taps = LikeTaps()
}
