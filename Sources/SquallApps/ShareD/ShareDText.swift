/// Share.D's texts for statuses: a table that all screens begin with, and changes of some of them.
enum ShareDText: String, Sendable {
    case forbidden, loginExpired, tokenExpired, wrongKey
    case badRequest, wrongAccount, nickHasSpace, emailTaken, unauthorized, missingPost
    case unknown

    /// Which screen reads the status.
    enum Screen: Sendable {
        case login, join, post, settings, other
    }

    /// The text of a status on a screen.
    ///
    /// 418 means that the login has expired and would lead to the sign-in screen. As built no
    /// status that arrives here is ever 418: the retrier keeps it to itself.
    init(status: Int, on screen: Screen) {
        switch (status, screen) {
        case (400, .login), (200, .login), (200, .join): self = .badRequest
        case (401, .login): self = .wrongAccount
        case (402, .join): self = .nickHasSpace
        case (409, .join): self = .emailTaken
        case (401, .post), (401, .settings): self = .unauthorized
        case (410, .post): self = .missingPost
        case (403, .post), (403, .settings), (403, .other): self = .forbidden
        case (418, .post), (418, .settings), (418, .other): self = .loginExpired
        case (419, .post), (419, .settings), (419, .other): self = .tokenExpired
        case (420, .post), (420, .settings), (420, .other): self = .wrongKey
        default: self = .unknown
        }
    }
}
