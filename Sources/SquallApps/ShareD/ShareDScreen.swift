/// The parts of Share.D's screens that decide what a later tap asks for and what it changes.
struct ShareDScreen: Sendable {
    /// The community's questions.
    var rows: [ShareDPost] = []
    /// Where the community's next page begins; `"0"` after the last one.
    var cursor = ""
    /// The open question.
    var detail: ShareDPost?
    /// Whether its heart is filled: turned round by every tap, and set by every reload.
    var isLiked = false
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
