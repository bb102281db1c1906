/// Share.D's texts for statuses: a table, which some screens replace by their own.
enum ShareDText: String, Sendable {
    case forbidden, loginExpired, tokenExpired, wrongKey
    case badRequest, wrongAccount, nickHasSpace, emailTaken, unauthorized, missingPost
    case unknown

    /// The screen that reads the status.
    enum Screen: Sendable {
        case login, join, post, settings, other

        /// Whether the screen looks for 418 before it looks for a text.
        ///
        /// As built no 418 ever arrives there: the retrier does not pass it on.
        var asksForTheLogin: Bool { self != .login && self != .join }
    }

    /// The text of a status on a screen; a status that the screen's own table lacks is unknown.
    init(status: Int, on screen: Screen) {
        self = screen.texts[status] ?? .unknown
    }
}

extension ShareDText.Screen {
    fileprivate var texts: [Int: ShareDText] {
        switch self {
        case .login: [200: .badRequest, 400: .badRequest, 401: .wrongAccount]
        case .join: [200: .badRequest, 402: .nickHasSpace, 409: .emailTaken]
        case .post: [401: .unauthorized, 410: .missingPost]
        case .settings: [401: .unauthorized]
        case .other:
            [403: .forbidden, 418: .loginExpired, 419: .tokenExpired, 420: .wrongKey]
        }
    }
}
