import Testing

import SquallBackend
@testable import SquallCases

@Suite("Every refusal of every call")
struct RefusalTests {
    @Test("Every mistake is refused with its status and words", arguments: Operation.all)
    func refusals(operation: Operation) throws {
        for mistake in Mistake.all where mistake.isPossible(operation) {
            let answer = try Self.answer(to: operation, with: [mistake])
            #expect(answer.status == mistake.refusal.status, "\(mistake.refusal)")
            #expect(answer.message == mistake.refusal.message)
        }
    }

    @Test("The refusals that a row names are those that its call gives", arguments: Operation.all)
    func coverage(operation: Operation) {
        let made = Mistake.all.filter { $0.isPossible(operation) }.map(\.refusal)
        // Calls are counted before the contract sees them.
        let named = Set(operation.refusals).subtracting([.tooManyCalls])
        #expect(Set(made) == named, "\(operation.year) \(operation.name)")
    }

    @Test(
        "Of two mistakes in a call the one that is checked first is refused",
        arguments: Operation.all)
    func order(operation: Operation) throws {
        let possible = Mistake.all.filter { $0.isPossible(operation) }
        for first in possible {
            for second in possible where first.place.rawValue < second.place.rawValue {
                let answer = try Self.answer(to: operation, with: [second, first])
                let ranks = [first, second].map(Self.rank)
                let expected = ranks[0] <= ranks[1] ? first.refusal : second.refusal
                #expect(
                    answer.status == expected.status,
                    "\(operation.name): \(first.refusal) and \(second.refusal)")
            }
        }
    }

    @Test("A call of a protocol that is not spoken is unknown", arguments: ContractYear.allCases)
    func otherGeneration(spoken: ContractYear) throws {
        let scene = try Scene()
        let server = TestServer(years: [spoken], content: .little)
        for operation in Operation.all where operation.year != spoken {
            let request = scene.attempt(operation).request
            let answer = server.answer(request)
            #expect(answer.status == 444, "\(operation.path)")
        }
    }

    /// The order of checks that the contract states.
    ///
    /// A file that is not there is looked for like a post, though its status is that of a wrong
    /// address; and that a write was lost shows only after everything else was found right.
    private static func rank(_ mistake: Mistake) -> Int {
        let order = [
            [420], [444], [429], [401], [403], [419, 418], [400, 402], [410], [445], [409],
        ]
        switch mistake.refusal {
        case .unknownRoute: return 7
        case .commentNotCreated, .postNotCreated: return .max
        default:
            return order.firstIndex { $0.contains(mistake.refusal.status) } ?? order.count
        }
    }

    private static func answer(to operation: Operation, with mistakes: [Mistake]) throws -> Answer {
        let scene = try Scene()
        var attempt = scene.attempt(operation)
        for mistake in mistakes { mistake.make(&attempt, scene) }
        return scene.answer(attempt)
    }
}

@Suite("The words of refusals")
struct RefusalWordTests {
    @Test(
        "Statuses and messages are those of the real server",
        arguments: [
            (.missingValues, 400, "필수값을 채워주세요."), (.badRequest, 400, "잘못된 요청입니다."),
            (.missingContent, 400, "필수값이 누락되었습니다."),
            (.invalidPayment, 400, "유효하지 않은 결제건입니다."),
            (.unverifiableAccessToken, 401, "인증할 수 없는 액세스 토큰입니다."),
            (.unverifiableToken, 401, "인증할 수 없는 토큰입니다."),
            (.unknownCredentials, 401, "계정을 확인해주세요."),
            (.nickWithSpace, 402, "공백이 포함된 닉네임은 사용할 수 없습니다."),
            (.forbidden, 403, "Forbidden"), (.alreadyJoined, 409, "이미 가입된 유저입니다."),
            (.emailInUse, 409, "사용이 불가한 이메일입니다."), (.nickInUse, 409, "이미 사용중인 닉네임입니다."),
            (.accessTokenNotExpired, 409, "액세스 토큰이 만료되지 않았습니다."),
            (.alreadyFollowing, 409, "이미 팔로윙 된 계정입니다."),
            (.alreadyValidated, 409, "검증처리가 완료된 결제건입니다."),
            (.postNotCreated, 410, "생성된 게시글이 없습니다."),
            (.editedPostMissing, 410, "수정할 게시글을 찾을 수 없습니다."),
            (.deletedPostMissing, 410, "삭제할 게시글을 찾을 수 없습니다."),
            (.commentedPostMissing, 410, "댓글을 추가할 게시글을 찾을 수 없습니다."),
            (.commentNotCreated, 410, "생성된 댓글이 없습니다."),
            (.editedCommentMissing, 410, "수정할 댓글을 찾을 수 없습니다."),
            (.deletedCommentMissing, 410, "삭제할 댓글을 찾을 수 없습니다."),
            (.postMissing, 410, "게시글을 찾을 수 없습니다."), (.accountMissing, 410, "알 수 없는 계정입니다."),
            (.refreshTokenExpired, 418, "리프레시 토큰이 만료되었습니다. 다시 로그인 해주세요."),
            (.accessTokenExpired, 419, "액세스 토큰이 만료되었습니다."),
            (.wrongKey, 420, "This service sesac_memolease only"),
            (.tooManyCalls, 429, "과호출입니다."), (.unknownRoute, 444, "돌아가 여긴 자네가 올 곳이 아니야."),
            (.editedPostNotOwned, 445, "게시글 수정 권한이 없습니다."),
            (.deletedPostNotOwned, 445, "게시글 삭제 권한이 없습니다."),
            (.editedCommentNotOwned, 445, "댓글 수정 권한이 없습니다."),
            (.deletedCommentNotOwned, 445, "댓글 삭제 권한이 없습니다."), (.serverError, 500, "ServerError"),
        ] as [(Refusal, Int, String)])
    func words(refusal: Refusal, status: Int, message: String) throws {
        #expect(refusal.answer.status == status)
        #expect(try refusal.answer.object() as? [String: String] == ["message": message])
    }
}
