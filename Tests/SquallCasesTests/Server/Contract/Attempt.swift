import SquallHTTP
import TestSupport

import SquallBackend
@testable import SquallCases

/// A request for a row of the contract, ready to be spoiled.
struct Attempt {
    let operation: Operation
    /// What the path's variables stand for.
    var postID: String
    var userID: String
    var commentID: String
    var filePath = "posts/novel_m1_1.pdf"
    var query: String?
    var key: String? = "scrolly-key"
    var token: String
    var refreshToken: String?
    var contentType: String?
    var body = Body.empty

    var request: URLRequest {
        let path = operation.path.replacing("{post_id}", with: postID)
            .replacing("{user_id}", with: userID).replacing("{comment_id}", with: commentID)
            .replacing("{path}", with: filePath)
        var request = URLRequest(
            url: WebURL(origin: "http://h", path: path, query: query), method: operation.method,
            headers: ["Authorization": token], body: body)
        request.setValue(key, forHTTPHeaderField: "SesacKey")
        request.setValue(refreshToken, forHTTPHeaderField: "Refresh")
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        return request
    }

    mutating func setForm(_ form: MultipartFormData) {
        contentType = form.contentType
        body = form.body
    }
}

/// A server of both protocols on which every row succeeds.
///
/// User 0 and user 2 wrote a post each and commented on it; user 0 has paid 100.
final class Scene {
    let server: TestServer
    let post, comment, strangersPost, strangersComment: ObjectID

    init(content: ContentPlan = .little) throws {
        server = TestServer(years: ContractYear.allCases, content: content)
        (post, comment) = try Scene.write(by: 0, on: server)
        (strangersPost, strangersComment) = try Scene.write(by: 2, on: server)
        _ = server.contract.ledger.charge(0, merchantUID: "m", amount: 100, at: server.now)
    }

    private static func write(
        by user: Int, on server: TestServer
    ) throws -> (post: ObjectID, comment: ObjectID) {
        let draft = Post.Draft(productID: "thing", title: "One", price: 100, content: "#tag")
        let post = try server.contract.posts.create(draft, by: user, at: server.now)
        let id = try server.contract.makeCommentID(at: server.now)
        let comment = Comment(
            id: id, author: user, content: "hi",
            createdAtMilliseconds: server.contract.epoch.milliseconds(at: server.now))
        server.contract.posts.change(post) { $0.comments.add(comment) }
        return (post, id)
    }

    func answer(_ attempt: Attempt) -> Answer {
        server.answer(attempt.request)
    }

    /// A request that the row's call answers with 200.
    func attempt(_ operation: Operation) -> Attempt {
        var attempt = Attempt(
            operation: operation, postID: post.text, userID: server.userID(1),
            commentID: comment.text, token: server.token())
        attempt.body = Body(Self.bodies[operation.name, default: ""])
        switch operation.name {
        case .refresh:
            attempt.token = issue(.access, to: 0, lifetime: 0)
            attempt.refreshToken = issue(.refresh, to: 0)
        case .hashtags: attempt.query = "hashTag=tag"
        case .validatePayment:
            attempt.body = Body(#"{"imp_uid":"imp_0","post_id":"\#(post.text)"}"#)
        case .uploadFiles: attempt.setForm(.files("files", [("a.png", 10), ("b.pdf", 20)]))
        case .editProfile: attempt.setForm(.files("profile", [("me.jpg", 10)]))
        case .unfollow: _ = server.contract.users.follow(1, by: 0)
        case .createPost, .editPost:
            if operation.takesForm { attempt.setForm(.texts(["content": "#a b"])) }
        default: break
        }
        return attempt
    }

    func issue(_ kind: TokenMint.Kind, to user: Int, lifetime: Int64? = nil) -> String {
        server.tokens.issue(kind, to: user, at: server.now, lifetime: lifetime).token
    }

    private static let bodies: [ContractCall: String] = [
        .join: #"{"email":"new@squall.test","password":"p","nick":"new"}"#,
        .validateEmail: #"{"email":"free@squall.test"}"#,
        .login: #"{"email":"reader1@squall.test","password":"password1"}"#,
        .createPost: #"{"title":"T","price":5,"files":["a"],"content":"x"}"#,
        .editPost: #"{"content1":"more"}"#,
        .createComment: #"{"content":"nice"}"#, .editComment: #"{"content":"nicer"}"#,
        .like: #"{"like_status":true}"#, .like2: #"{"like_status":true}"#,
    ]
}

extension ContentPlan {
    /// One novel with one episode, so that hundreds of servers are made in a second.
    static var little: ContentPlan {
        var plan = ContentPlan()
        (plan.novels, plan.episodesPerNovel) = (1, 1...1)
        (plan.bookPosts, plan.giftQuestions, plan.outfits) = (0, 0, 0)
        return plan
    }
}
