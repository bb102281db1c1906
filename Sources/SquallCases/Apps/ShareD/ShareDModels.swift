import SquallApps

typealias ShareDPage = LSLPPage<ShareDPost>

/// A question as Share.D decodes it.
final class ShareDPost: Decodable, Sendable {
    let postID: String
    let productID: String
    let createdAt: String
    let creator: LSLPUser
    let files: [String]
    let likes: [String]
    let likes2: [String]
    let comments: [LSLPComment]
    let title: String?
    let price: Int?
    let content: String?
    let content1: String?
    let content2: String?

    enum CodingKeys: String, CodingKey {
        case postID = "post_id"
        case productID = "product_id"
        case title, price, content, content1, content2, createdAt, creator, files
        case likes, likes2, comments
    }
}

struct ShareDLogin: Decodable, Sendable {
    let accessToken: String
    let refreshToken: String
    let userID: String
    let nick: String
    let profileImage: String?

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nick, profileImage, accessToken, refreshToken
    }

    /// The part of it that an app keeps.
    var account: StoredAccount {
        StoredAccount(
            userID: userID, email: "", nick: nick, accessToken: accessToken,
            refreshToken: refreshToken)
    }
}

/// The user's profile; also the model of the response to a withdrawal.
///
/// The picture is required here, but the server leaves it out for a user who never set one: that
/// user's profile does not decode, and a response of 200 shows nothing.
struct ShareDProfile: Decodable, Sendable {
    let userID: String
    let nick: String
    let profileImage: String

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nick, profileImage
    }
}

struct ShareDAccount: Decodable, Sendable {
    let userID: String
    let nick: String

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nick
    }
}

struct ShareDReceipt: Decodable, Sendable {
    let postID: String
    let merchantUID: String
    let price: Int

    enum CodingKeys: String, CodingKey {
        case postID = "post_id"
        case merchantUID = "merchant_uid"
        case price
    }
}
