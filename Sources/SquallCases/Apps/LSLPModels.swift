import SquallApps
import SquallClient

/// A post as the server of 2024 writes it: the members that two of its apps read alike.
///
/// A class, because pages are kept by thousands of users and share their posts.
final class LSLPPost: Decodable, Sendable {
    /// What does not change when one more user likes it.
    let text: LSLPText
    let likes: TextList
    let likes2: TextList
    let hashTags: [String]
    let comments: SharedList<LSLPComment>

    private enum CodingKeys: CodingKey {
        case likes, likes2, hashTags, comments
    }

    init(from decoder: any Decoder) throws {
        text = try (decoder as? any StretchDecoder)?.part(LSLPText.self) ?? LSLPText(from: decoder)
        let lists = try decoder.container(keyedBy: CodingKeys.self)
        likes = try lists.decode(TextList.self, forKey: .likes)
        likes2 = try lists.decode(TextList.self, forKey: .likes2)
        hashTags = try lists.decode([String].self, forKey: .hashTags)
        comments = try lists.decode(SharedList.self, forKey: .comments)
    }
}

/// The members of a post that come before its likes.
///
/// A class, because all that the post becomes with one more like has the same one.
final class LSLPText: Decodable, Sendable {
    let postID: String
    let productID: String
    let title: String?
    let price: Int?
    let content: String?
    let content1: String?
    let content2: String?
    let content3: LSLPRemark?
    let content4: String?
    let content5: String?
    let createdAt: String
    let creator: LSLPUser
    let files: [StoredFile]

    enum CodingKeys: String, CodingKey {
        case postID = "post_id"
        case productID = "product_id"
        case title, price, content, content1, content2, content3, content4, content5
        case createdAt, creator, files
    }
}

/// A text of which apps use a number or its end: read once, as thousands of phones show the post.
struct LSLPRemark: Decodable, Sendable {
    /// The number that it is, if it is one.
    let number: Int?
    /// True if it ends with a flag that is not set.
    let isUnset: Bool

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        number = Int(text)
        isUnset = text.utf8.suffix(5).elementsEqual("false".utf8)
    }
}

/// The author of a post or a comment, or a follower.
struct LSLPUser: Decodable, Sendable {
    let userID: String
    let nick: String
    let profileImage: StoredFile?

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nick, profileImage
    }
}

struct LSLPComment: Decodable, Sendable {
    let commentID: String
    let content: String
    let createdAt: String
    let creator: LSLPUser

    enum CodingKeys: String, CodingKey {
        case commentID = "comment_id"
        case content, createdAt, creator
    }
}

/// A page of posts, each as its app decodes it.
///
/// A class, because pages are kept by thousands of users and handed on within each screen.
final class LSLPPage<Post: Decodable & Sendable>: CursorPage {
    let items: [Post]
    let nextCursor: String

    init(items: [Post], nextCursor: String) { (self.items, self.nextCursor) = (items, nextCursor) }

    enum CodingKeys: String, CodingKey {
        case items = "data"
        case nextCursor = "next_cursor"
    }
}

/// The response to a sign-in, for apps that want the e-mail address too.
struct LSLPLogin: Decodable, Sendable {
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

    /// The part of it that an app keeps.
    var account: StoredAccount {
        StoredAccount(
            userID: userID, email: email, nick: nick, accessToken: accessToken,
            refreshToken: refreshToken)
    }
}

/// The response to a refresh.
struct LSLPToken: Decodable, Sendable {
    let accessToken: String
}

/// The response to an address check.
struct LSLPMessage: Decodable, Sendable {
    let message: String
}

/// The paths of uploaded files.
struct LSLPFiles: Decodable, Sendable {
    let files: [String]
}

struct LSLPLike: Decodable, Sendable {
    let likeStatus: Bool

    enum CodingKeys: String, CodingKey {
        case likeStatus = "like_status"
    }
}

/// The response to a validated payment.
struct LSLPReceipt: Decodable, Sendable {
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
