import SquallClient

struct OOTDJoin: Decodable, Sendable {
    let id: String
    let email: String
    let nick: String

    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case email, nick
    }
}

struct OOTDLogin: Decodable, Sendable {
    let token: String
    let refreshToken: String
}

struct OOTDToken: Decodable, Sendable {
    let token: String
}

/// A post in the keys of the 2023 server.
final class OOTDPost: Decodable, Sendable {
    let id: String
    let time: String
    let content: String?
    let productID: String
    let likes: [String]
    let image: [StoredFile]
    let hashTags: [String]
    let creator: OOTDCreator

    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case productID = "product_id"
        case time, content, likes, image, hashTags, creator
    }
}

struct OOTDCreator: Decodable, Sendable {
    let id: String
    let nick: String
    let profile: String?

    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case nick, profile
    }
}

struct OOTDPage: CursorPage {
    let items: [OOTDPost]
    let nextCursor: String

    enum CodingKeys: String, CodingKey {
        case items = "data"
        case nextCursor = "next_cursor"
    }
}
