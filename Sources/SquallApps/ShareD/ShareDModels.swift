import SquallClient

/// A question as Share.D decodes it.
final class ShareDPost: Decodable, Sendable {
    let postID: String
    let productID: String
    let title: String?
    let price: Int?
    let content: String?
    let content1: String?
    let content2: String?
    let createdAt: String
    let creator: ShareDUser
    let files: [String]
    let likes: [String]
    let likes2: [String]
    let comments: [ShareDComment]

    enum CodingKeys: String, CodingKey {
        case postID = "post_id"
        case productID = "product_id"
        case title, price, content, content1, content2, createdAt, creator, files
        case likes, likes2, comments
    }
}

struct ShareDUser: Decodable, Sendable {
    let userID: String
    let nick: String
    let profileImage: String?

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nick, profileImage
    }
}

/// A comment; the app also decodes the empty answer to a deletion as one.
struct ShareDComment: Decodable, Sendable {
    let commentID: String
    let content: String
    let createdAt: String
    let creator: ShareDUser

    enum CodingKeys: String, CodingKey {
        case commentID = "comment_id"
        case content, createdAt, creator
    }
}

struct ShareDPage: CursorPage {
    let items: [ShareDPost]
    let nextCursor: String

    enum CodingKeys: String, CodingKey {
        case items = "data"
        case nextCursor = "next_cursor"
    }
}

struct ShareDLogin: Decodable, Sendable {
    let userID: String
    let nick: String
    let profileImage: String?
    let accessToken: String
    let refreshToken: String

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nick, profileImage, accessToken, refreshToken
    }
}

/// The person's profile; also what the answer to a withdrawal is decoded as.
///
/// The picture is required here and left out by the server for whoever never set one: for them the
/// profile does not decode, and an answer of 200 shows nothing.
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

struct ShareDToken: Decodable, Sendable {
    let accessToken: String
}

struct ShareDMessage: Decodable, Sendable {
    let message: String
}

struct ShareDLike: Decodable, Sendable {
    let likeStatus: Bool

    enum CodingKeys: String, CodingKey {
        case likeStatus = "like_status"
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
