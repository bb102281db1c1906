import SquallHTTP
import SquallKernel
import TestSupport
import Testing

@testable import SquallBackend

@Suite("Refreshing")
struct RefreshTests {
    private func server(_ change: (inout TokenPolicy) -> Void) -> TestServer {
        var policy = TokenPolicy()
        change(&policy)
        return TestServer(policy: policy)
    }

    private func refresh(_ server: TestServer, _ tokens: (String, String)) -> Answer {
        server.send(.get, "/v1/auth/refresh", token: tokens.0, refresh: tokens.1)
    }

    private func signIn(_ server: TestServer) -> (String, String) {
        (
            server.tokens.issue(.access, to: 0, at: server.now).token,
            server.tokens.issue(.refresh, to: 0, at: server.now).token
        )
    }

    @Test(
        "An answer brings a refresh token exactly where refreshing rotates it",
        arguments: [
            (.coexist, false), (.rotatingStrict, true), (.oneShot, true),
            (.rotatingWithLeeway(windowNanoseconds: 1, generations: 1), true),
            (.rotatingWithReplay(windowNanoseconds: 1, parentOfActive: false), true),
        ] as [(RefreshSemantics, Bool)])
    func bothTokens(semantics: RefreshSemantics, rotates: Bool) throws {
        let server = server { $0.refresh = semantics }
        let answer = refresh(server, signIn(server))
        let members = try answer.object()
        #expect(answer.status == 200 && members["accessToken"] is String)
        #expect((members["refreshToken"] is String) == rotates)
    }

    @Test("The server of 2023 refuses with 409 while the access token is good, and not after")
    func early() {
        let server = server { $0.refresh = .early409 }
        let tokens = signIn(server)
        let early = refresh(server, tokens)
        #expect(early.status == 409 && early.message == "액세스 토큰이 만료되지 않았습니다.")
        server.now = server.now.advanced(byNanoseconds: 300_000_000_000)
        #expect(refresh(server, tokens).status == 200)
    }

    @Test("A refresh token shown twice is answered 418, and strictly so is its child")
    func reuse() throws {
        for (semantics, childStatus) in [(RefreshSemantics.rotatingStrict, 418), (.oneShot, 200)] {
            let server = server { $0.refresh = semantics }
            let tokens = signIn(server)
            let child = try refresh(server, tokens).object()
            #expect(refresh(server, tokens).status == 418)
            let pair = (child["accessToken"] as? String, child["refreshToken"] as? String)
            #expect(refresh(server, (pair.0 ?? "", pair.1 ?? "")).status == childStatus)
        }
    }

    @Test("A replay brings the very same refresh token, leeway another one")
    func replay() throws {
        let window = Int64(10_000_000_000)
        for (semantics, isSame) in [
            (
                RefreshSemantics.rotatingWithReplay(
                    windowNanoseconds: window, parentOfActive: false),
                true
            ), (.rotatingWithLeeway(windowNanoseconds: window, generations: 1), false),
        ] {
            let server = server { $0.refresh = semantics }
            let tokens = signIn(server)
            let first = try refresh(server, tokens).object()["refreshToken"] as? String
            server.now = server.now.advanced(byNanoseconds: window - 1)
            let second = try refresh(server, tokens).object()["refreshToken"] as? String
            #expect(first != nil && (first == second) == isSame)
        }
    }

    @Test("An older access token dies with a refresh only where the policy says so")
    func olderAccessTokens() {
        for revokes in [false, true] {
            let server = server { $0.refreshRevokesAccessTokens = revokes }
            let tokens = signIn(server)
            let other = server.token(of: 1)
            #expect(refresh(server, tokens).status == 200)
            let page = server.send(.get, "/v1/posts", token: tokens.0)
            #expect(page.status == (revokes ? 419 : 200))
            #expect(server.send(.get, "/v1/posts", token: other).status == 200)
        }
    }

    @Test("Reuse ends every access token of the sign-in where the policy says so")
    func revokedAccessTokens() throws {
        let server = server {
            $0.refresh = .rotatingStrict
            $0.refreshRevokesAccessTokens = true
        }
        let tokens = signIn(server)
        let newest = try refresh(server, tokens).object()["accessToken"] as? String
        #expect(server.send(.get, "/v1/posts", token: newest).status == 200)
        #expect(refresh(server, tokens).status == 418)
        #expect(server.send(.get, "/v1/posts", token: newest).status == 419)
    }

    @Test("Two sign-ins of a user are two families: reuse in one leaves the other alone")
    func twoSignIns() {
        let server = server { $0.refresh = .rotatingStrict }
        let phone = signIn(server)
        server.now = server.now.advanced(byNanoseconds: 1)
        let tablet = signIn(server)
        #expect(refresh(server, phone).status == 200 && refresh(server, phone).status == 418)
        #expect(refresh(server, tablet).status == 200)
    }

    @Test("A generation counts the refreshes since the sign-in, remembered or not")
    func generation() throws {
        for semantics in [RefreshSemantics.coexist, .rotatingStrict] {
            let server = server { $0.refresh = semantics }
            var tokens = signIn(server)
            for generation in UInt32(0)..<4 {
                #expect(server.tokens.generation(of: tokens.0) == generation)
                let members = try refresh(server, tokens).object()
                tokens.0 = members["accessToken"] as? String ?? ""
                tokens.1 = members["refreshToken"] as? String ?? tokens.1
            }
        }
    }

    @Test("A worker judges by its own clock")
    func skew() {
        let server = server { _ in }
        let token = server.token()
        server.now = server.now.advanced(byNanoseconds: 299_000_000_000)
        for (offset, status) in [(0, 200), (1_000_000_000, 419), (-5_000_000_000, 200)] {
            server.tokens.clockOffsetNanoseconds = Int64(offset)
            #expect(server.send(.get, "/v1/posts", token: token).status == status)
        }
    }
}
