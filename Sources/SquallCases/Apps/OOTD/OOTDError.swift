/// OOTD's names for statuses that any call may have.
///
/// 410 and 445 are missing, so a post that is gone is an unknown error.
enum OOTDCommonError: Int, Error, Sendable {
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case conflict = 409
    case refreshTokenExpired = 418
    case tokenExpired = 419
    case wrongKey = 420
    case tooManyCalls = 429
    case wrongAddress = 444
    case server = 500
    case unknown = -1

    init(status: Int) { self = OOTDCommonError(rawValue: status) ?? .unknown }

    /// The texts that the app has; all other cases have an empty one.
    var text: String {
        switch self {
        case .wrongKey, .tooManyCalls, .wrongAddress, .server, .unknown: "\(self)"
        default: ""
        }
    }

    /// What the screen prints: the general name first, then the call's own of the same number.
    ///
    /// The sign-up screen does not look for the second, so its 400 and 409 print nothing. The
    /// names of lists and refreshes are never used, and a post's "does not exist", 410, cannot be
    /// reached: the general names come first and lack it.
    func text(of call: CallName) -> String {
        let named: [OOTDCommonError] =
            switch call {
            case .validateEmail: [.badRequest, .conflict]
            case .login: [.badRequest, .unauthorized]
            case .createPost: [.badRequest, .unauthorized, .forbidden, .tokenExpired]
            default: []
            }
        return named.contains(self) ? "\(call).\(self)" : text
    }
}
