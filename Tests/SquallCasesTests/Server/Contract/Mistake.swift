import SquallHTTP
import Testing

import SquallBackend
@testable import SquallCases

/// Something wrong with a request, and how the contract refuses it.
struct Mistake: CustomTestStringConvertible {
    /// What is spoiled; two mistakes in different places can be made at once.
    enum Place: Int {
        case key
        case token
        case body
        case target
        case store
    }

    let refusal: Refusal
    let place: Place
    /// The rows in which it can be made.
    let isPossible: @Sendable (Operation) -> Bool
    let make: @Sendable (inout Attempt, Scene) -> Void

    var testDescription: String { "\(refusal) by \(place)" }

    init(
        _ refusal: Refusal, in place: Place, _ endpoints: [ContractCall],
        of years: [ContractYear] = ContractYear.allCases,
        make: @escaping @Sendable (inout Attempt, Scene) -> Void
    ) {
        self.init(refusal, in: place, make: make) {
            endpoints.contains($0.name) && years.contains($0.year)
        }
    }

    init(
        _ refusal: Refusal, in place: Place,
        make: @escaping @Sendable (inout Attempt, Scene) -> Void,
        where isPossible: @escaping @Sendable (Operation) -> Bool
    ) {
        self.refusal = refusal
        self.place = place
        self.isPossible = isPossible
        self.make = make
    }

    static let all = access + accounts + targets + bodies + stores

    private static let nobody = "66d3ad80078fb67016ffffff"
    private static let gone = "66d3ad80505651701700ffff"

    private static let access = [
        Mistake(.wrongKey, in: .key, make: { attempt, _ in attempt.key = nil }) { _ in true },
        Mistake(.wrongKey, in: .key, make: { attempt, _ in attempt.key = "other" }) { _ in true },
        Mistake(
            .unverifiableAccessToken, in: .token,
            make: { attempt, _ in attempt.token = "forged" },
            where: { $0.access == .accessToken || $0.isRefresh(.year2023) }),
        Mistake(
            .unverifiableToken, in: .token, make: { attempt, _ in attempt.refreshToken = "" },
            where: { $0.isRefresh(.year2024) }),
        Mistake(
            .forbidden, in: .token,
            make: { attempt, scene in
                attempt.token = scene.issue(.access, to: 4, lifetime: 0)
                attempt.refreshToken = scene.issue(.refresh, to: 4)
                scene.server.contract.users.withdraw(4)
            }, where: { $0.access != .open }),
        Mistake(
            .accessTokenExpired, in: .token,
            make: { attempt, scene in attempt.token = scene.issue(.access, to: 0, lifetime: 0) },
            where: { $0.access == .accessToken }),
        Mistake(.refreshTokenExpired, in: .token, [.refresh]) { attempt, scene in
            attempt.refreshToken = scene.issue(.refresh, to: 0, lifetime: 0)
        },
        Mistake(.accessTokenNotExpired, in: .token, [.refresh], of: [.year2023]) {
            attempt, scene in attempt.token = scene.server.token()
        },
    ]

    private static let accounts = [
        Mistake(.missingValues, in: .body, [.join, .login, .validateEmail]) { attempt, _ in
            attempt.body = Body(#"{"email":"","password":"p","nick":"n"}"#)
        },
        Mistake(.nickWithSpace, in: .body, [.join], of: [.year2024]) { attempt, _ in
            attempt.body = Body(#"{"email":"e","password":"p","nick":"a b"}"#)
        },
        Mistake(.alreadyJoined, in: .body, [.join]) { attempt, _ in
            attempt.body = Body(#"{"email":"reader3@squall.test","password":"p","nick":"n"}"#)
        },
        Mistake(.alreadyJoined, in: .body, [.join]) { attempt, _ in
            attempt.body = Body(#"{"email":"e","password":"p","nick":"reader3"}"#)
        },
        Mistake(.emailInUse, in: .body, [.validateEmail]) { attempt, _ in
            attempt.body = Body(#"{"email":"reader3@squall.test"}"#)
        },
        Mistake(.unknownCredentials, in: .body, [.login]) { attempt, _ in
            attempt.body = Body(#"{"email":"reader3@squall.test","password":"password1"}"#)
        },
        Mistake(.nickWithSpace, in: .body, [.editProfile], of: [.year2024]) { attempt, _ in
            attempt.setForm(.texts(["nick": "a b"]))
        },
        Mistake(.nickInUse, in: .body, [.editProfile]) { attempt, _ in
            attempt.setForm(.texts(["nick": "reader3"]))
        },
    ]

    private static let targets = [
        Mistake(
            .serverError, in: .target,
            make: { attempt, _ in
                (attempt.postID, attempt.userID, attempt.commentID) = ("xyz", "xyz", "xyz")
            }, where: { $0.path.contains("_id}") }),
        Mistake(
            .badRequest, in: .target,
            make: { attempt, _ in (attempt.postID, attempt.userID) = ("%zz", "%zz") },
            where: { $0.path.contains("_id}") }),
        missing(.postMissing, [.post, .like, .like2]), missing(.editedPostMissing, [.editPost]),
        missing(.deletedPostMissing, [.deletePost]),
        missing(.commentedPostMissing, [.createComment]),
        missing(.editedCommentMissing, [.editComment]),
        missing(.deletedCommentMissing, [.deleteComment]),
        Mistake(.editedCommentMissing, in: .target, [.editComment]) { attempt, _ in
            attempt.commentID = gone
        },
        Mistake(.accountMissing, in: .target, [.otherProfile, .follow, .unfollow]) {
            attempt, _ in attempt.userID = nobody
        },
        Mistake(.accountMissing, in: .target, [.unfollow]) { attempt, scene in
            attempt.userID = scene.server.userID(2)
        },
        Mistake(.alreadyFollowing, in: .target, [.follow]) { _, scene in
            _ = scene.server.contract.users.follow(1, by: 0)
        },
        Mistake(.badRequest, in: .target, [.follow, .unfollow]) { attempt, scene in
            attempt.userID = scene.server.userID(0)
        },
        notOwned(.editedPostNotOwned, [.editPost]), notOwned(.deletedPostNotOwned, [.deletePost]),
        notOwned(.editedCommentNotOwned, [.editComment]),
        notOwned(.deletedCommentNotOwned, [.deleteComment]),
        Mistake(.unknownRoute, in: .target, [.file]) { attempt, _ in
            attempt.filePath = "posts/none.pdf"
        },
    ]

    private static let bodies = [
        Mistake(.missingContent, in: .body, [.createComment, .editComment]) { attempt, _ in
            attempt.body = Body(#"{"content":""}"#)
        },
        Mistake(.badRequest, in: .body, [.like, .like2], of: [.year2024]) { attempt, _ in
            attempt.body = Body(#"{"like_status":1}"#)
        },
        Mistake(.badRequest, in: .body, [.createPost, .editPost], of: [.year2024]) {
            attempt, _ in attempt.body = Body(#"{"price":"5"}"#)
        },
        Mistake(
            .badRequest, in: .body, make: { attempt, _ in attempt.body = Body("--fence") },
            where: { $0.takesForm }),
        Mistake(
            .badRequest, in: .body, make: { attempt, _ in attempt.query = "limit=x&hashTag=tag" },
            where: { $0.isPage }),
        Mistake(
            .badRequest, in: .body, make: { attempt, _ in attempt.query = "next=1&hashTag=tag" },
            where: { $0.isPage }),
        Mistake(.badRequest, in: .body, [.hashtags]) { attempt, _ in attempt.query = nil },
        Mistake(.missingValues, in: .body, [.validatePayment]) { attempt, _ in
            attempt.body = Body(#"{"imp_uid":"imp_0"}"#)
        },
        Mistake(.invalidPayment, in: .body, [.validatePayment]) { attempt, _ in
            attempt.body = Body(#"{"imp_uid":"imp_7","post_id":"\#(attempt.postID)"}"#)
        },
        Mistake(.postMissing, in: .body, [.validatePayment]) { attempt, _ in
            attempt.body = Body(#"{"imp_uid":"imp_0","post_id":"\#(gone)"}"#)
        },
    ]

    private static let stores = [
        Mistake(.alreadyValidated, in: .store, [.validatePayment]) { attempt, scene in
            _ = scene.answer(scene.attempt(attempt.operation))
        },
        Mistake(.postNotCreated, in: .store, [.createPost]) { _, scene in
            scene.server.contract.posts.countMax = scene.server.contract.posts.count
        },
        Mistake(.commentNotCreated, in: .store, [.createComment]) { _, scene in
            scene.server.contract.commentsMax = 2
        },
    ]

    private static func missing(_ refusal: Refusal, _ endpoints: [ContractCall]) -> Mistake {
        Mistake(refusal, in: .target, endpoints) { attempt, _ in attempt.postID = gone }
    }

    private static func notOwned(_ refusal: Refusal, _ endpoints: [ContractCall]) -> Mistake {
        Mistake(refusal, in: .target, endpoints) { attempt, scene in
            attempt.postID = scene.strangersPost.text
            attempt.commentID = scene.strangersComment.text
        }
    }
}

extension Operation {
    fileprivate func isRefresh(_ year: ContractYear) -> Bool {
        name == .refresh && self.year == year
    }
}
