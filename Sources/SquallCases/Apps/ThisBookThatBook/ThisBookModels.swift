import SquallClient

/// A page of posts; the app also decodes the response to a new post as one, which it is not.
typealias ThisBookPage = LSLPPage<ThisBookPost>

/// A post as 이책저책 decodes it; `buyers` is required.
@dynamicMemberLookup
struct ThisBookPost: Decodable, Sendable {
    let post: LSLPPost
    let buyers: [String]

    enum CodingKeys: CodingKey {
        case buyers
    }

    init(from decoder: any Decoder) throws {
        post = try LSLPPost(from: decoder)
        buyers = try decoder.container(keyedBy: CodingKeys.self).decode(
            [String].self, forKey: .buyers)
    }

    var likes: TextList { post.likes }
    var likes2: TextList { post.likes2 }
    var comments: SharedList<LSLPComment> { post.comments }

    subscript<Value>(dynamicMember member: KeyPath<LSLPText, Value>) -> Value {
        post.text[keyPath: member]
    }
}

struct ThisBookProfile: Decodable, Sendable {
    let userID: String
    let email: String
    let nick: String
    let profileImage: StoredFile?
    let followers: [LSLPUser]
    let following: [LSLPUser]
    let posts: [String]

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case email, nick, profileImage, followers, following, posts
    }
}

/// The response to joining and withdrawing.
struct ThisBookAccount: Decodable, Sendable {
    let userID: String
    let email: String
    let nick: String

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case email, nick
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
