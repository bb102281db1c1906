import SquallClient

/// A post as 이책저책 decodes it; `buyers` is required.
///
/// A class, because pages are kept by many users and share their posts.
final class ThisBookPost: Decodable, Sendable {
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
    let creator: ThisBookUser
    let files: [String]
    let likes: [String]
    let likes2: [String]
    let hashTags: [String]
    let buyers: [String]
    let comments: [ThisBookComment]

    enum CodingKeys: String, CodingKey {
        case postID = "post_id"
        case productID = "product_id"
        case title, price, content, content1, content2, content3, content4, content5
        case createdAt, creator, files, likes, likes2, hashTags, buyers, comments
    }
}

struct ThisBookUser: Decodable, Sendable {
    let userID: String
    let nick: String
    let profileImage: String?

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nick, profileImage
    }
}

struct ThisBookComment: Decodable, Sendable {
    let commentID: String
    let content: String
    let createdAt: String
    let creator: ThisBookUser

    enum CodingKeys: String, CodingKey {
        case commentID = "comment_id"
        case content, createdAt, creator
    }
}

/// A page of posts; the app also decodes the answer to a new post as one, which it is not.
struct ThisBookPage: CursorPage {
    let items: [ThisBookPost]
    let nextCursor: String

    enum CodingKeys: String, CodingKey {
        case items = "data"
        case nextCursor = "next_cursor"
    }
}

struct ThisBookLogin: Decodable, Sendable {
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

struct ThisBookProfile: Decodable, Sendable {
    let userID: String
    let email: String
    let nick: String
    let profileImage: String?
    let followers: [ThisBookUser]
    let following: [ThisBookUser]
    let posts: [String]

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case email, nick, profileImage, followers, following, posts
    }
}

/// What joining and withdrawing answer.
struct ThisBookAccount: Decodable, Sendable {
    let userID: String
    let email: String
    let nick: String

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case email, nick
    }
}

struct ThisBookToken: Decodable, Sendable {
    let accessToken: String
}

struct ThisBookMessage: Decodable, Sendable {
    let message: String
}

struct ThisBookFiles: Decodable, Sendable {
    let files: [String]
}

struct ThisBookLike: Decodable, Sendable {
    let likeStatus: Bool

    enum CodingKeys: String, CodingKey {
        case likeStatus = "like_status"
    }
}

struct ThisBookFollow: Decodable, Sendable {
    let nick: String
    let opponentNick: String
    let followingStatus: Bool

    enum CodingKeys: String, CodingKey {
        case nick
        case opponentNick = "opponent_nick"
        case followingStatus = "following_status"
    }
}

struct ThisBookReceipt: Decodable, Sendable {
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
