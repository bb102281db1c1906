import SquallClient

/// A post as Scrolly decodes it: a novel or one of its episodes.
///
/// A class, because pages of fifty are kept by thousands of users and share their posts.
final class ScrollyPost: Decodable, Sendable {
    let postID: String
    let productID: String
    let title: String?
    let price: Int?
    let content: String?
    let content1: String?
    let content2: String?
    let content3: String?
    let content4: String?
    let content5: String?
    let createdAt: String
    let creator: ScrollyCreator
    let files: [String]
    let likes: [String]
    let likes2: [String]
    let hashTags: [String]
    let comments: [ScrollyComment]

    enum CodingKeys: String, CodingKey {
        case postID = "post_id"
        case productID = "product_id"
        case title, price, content, content1, content2, content3, content4, content5
        case createdAt, creator, files, likes, likes2, hashTags, comments
    }
}

struct ScrollyCreator: Decodable, Sendable {
    let userID: String
    let nick: String
    let profileImage: String?

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nick, profileImage
    }
}

struct ScrollyComment: Decodable, Sendable {
    let commentID: String
    let content: String
    let createdAt: String
    let creator: ScrollyCreator

    enum CodingKeys: String, CodingKey {
        case commentID = "comment_id"
        case content, createdAt, creator
    }
}

struct ScrollyPage: CursorPage {
    let items: [ScrollyPost]
    let nextCursor: String

    enum CodingKeys: String, CodingKey {
        case items = "data"
        case nextCursor = "next_cursor"
    }
}

struct ScrollyLogin: Decodable, Sendable {
    let userID: String
    let email: String
    let nick: String
    let profileImage: String?
    let accessToken: String
    let refreshToken: String

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case email, nick, profileImage, accessToken, refreshToken
    }
}

/// What joining is decoded as; the server never sends the password back.
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

/// What checking an e-mail address is decoded as; any answer with a body is one.
struct ScrollyMessage: Decodable, Sendable {
    let message: String?
}

struct ScrollyFiles: Decodable, Sendable {
    let files: [String]
}

struct ScrollyRefresh: Decodable, Sendable {
    let accessToken: String
}

struct ScrollyLike: Decodable, Sendable {
    let likeStatus: Bool

    enum CodingKeys: String, CodingKey {
        case likeStatus = "like_status"
    }
}

struct ScrollyPayment: Decodable, Sendable {
    let buyerID: String
    let postID: String
    let merchantUID: String
    let productName: String
    let price: Int
    let paidAt: String

    enum CodingKeys: String, CodingKey {
        case buyerID = "buyer_id"
        case postID = "post_id"
        case merchantUID = "merchant_uid"
        case productName, price, paidAt
    }
}
