/// A post as Scrolly decodes it: a novel or one of its episodes.
typealias ScrollyPost = LSLPPost
typealias ScrollyComment = LSLPComment
typealias ScrollyPage = LSLPPage<ScrollyPost>
typealias ScrollyLogin = LSLPLogin
typealias ScrollyFiles = LSLPFiles
typealias ScrollyRefresh = LSLPToken
typealias ScrollyLike = LSLPLike
typealias ScrollyPayment = LSLPReceipt

/// The model of a sign-up's answer; the server never sends the password back.
struct ScrollyAccount: Decodable, Sendable {
    let userID: String
    let email: String
    let nick: String
    let password: String

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case email, nick, password
    }
}

/// The model of an address check's answer; any body fits.
struct ScrollyMessage: Decodable, Sendable {
    let message: String?
}
