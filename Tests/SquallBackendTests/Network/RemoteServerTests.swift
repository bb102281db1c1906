import SquallHTTP
import SquallKernel
import SquallServices
import TestSupport
import Testing

@testable import SquallBackend

@Suite("Servers outside the simulation")
struct RemoteServerTests {
    /// A server that answers when it is told to.
    private final class Server: RemoteServer {
        let origin = "http://h"
        var sent: [RemoteRequest] = []
        var dropped: [UInt64] = []
        func send(_ request: RemoteRequest) { sent.append(request) }
        func drop(_ exchange: UInt64) { dropped.append(exchange) }
    }

    private static func service(_ form: TokenForm) -> TokenService {
        var service = TokenService(form)
        service.origin = "http://h"
        return service
    }

    private struct Remote {
        let simulation = Simulation()
        let server = Server()
        let log = ExchangeLog()
        let backend: Backend

        init(timeout: Int64 = 60_000_000_000) {
            var plan = BackendPlan()
            plan.network.up = .constant(nanoseconds: 0)
            plan.network.down = .constant(nanoseconds: 0)
            plan.network.timeoutNanoseconds = timeout
            plan.network.connectionsPerHost = 2
            let service = RemoteServerTests.service(.bearer)
            backend = Backend(
                simulation: simulation, plan: plan,
                services: [service.service(randomness: RandomStream(seed: 1), userCount: 1)],
                randomness: RandomStream(seed: 1), observer: log, remote: server)
        }

        func ask(_ told: @escaping (Result<TransportResponse, TransportError>) -> Void) {
            let url = WebURL(origin: "http://h", path: "/oauth/token")
            backend.exchange(
                URLRequest(url: url, method: .post, body: Body(#"{"email":"a"}"#)),
                cause: { _ in RequestCause(user: 0) }, told: told)
        }

        func pass(_ nanoseconds: Int64) throws {
            try simulation.follow(until: simulation.now.advanced(byNanoseconds: nanoseconds))
        }
    }

    @Test(
        "A remote server gets the requests of its origin, and its responses and failures end them")
    func ends() throws {
        let remote = Remote()
        var ends: [String] = []
        for _ in 0..<3 {
            remote.ask { ends.append((try? $0.get().body.text) ?? "failed") }
        }
        try remote.pass(5)
        // A user has two connections; the third request waits.
        #expect(remote.server.sent.map(\.endpoint.role) == [.signIn, .signIn])
        remote.backend.answer(
            remote.server.sent[0].exchange, with: Answer(status: 200, body: Body("hello")))
        remote.backend.fail(remote.server.sent[1].exchange, with: .networkConnectionLost)
        try remote.pass(5)
        #expect(ends == ["hello", "failed"] && remote.server.sent.count == 3)
        try remote.backend.checkConservation()
        remote.backend.fail(remote.server.sent[1].exchange, with: .timedOut)
        remote.backend.answer(remote.server.sent[2].exchange, with: Answer(status: 204))
        try remote.pass(5)
        #expect(ends.count == 3)
        try remote.backend.checkConservation()
    }

    @Test("A remote server drops a request that timed out, and its late response is ignored")
    func timesOut() throws {
        let remote = Remote(timeout: 1_000)
        var ends: [TransportError.Code?] = []
        remote.ask { if case .failure(let error) = $0 { ends.append(error.code) } }
        try remote.pass(2_000)
        let number = remote.server.sent[0].exchange
        #expect(ends == [.timedOut] && remote.server.dropped == [number])
        remote.backend.answer(number, with: Answer(status: 200))
        try remote.pass(10)
        #expect(remote.backend.inFlight == 0)
        try remote.backend.checkConservation()
    }

    @Test("A remote server gets no request after the world has ended")
    func closed() throws {
        let remote = Remote()
        remote.ask { _ in }
        remote.backend.close()
        try remote.pass(5)
        #expect(remote.server.sent.isEmpty && remote.backend.inFlight == 0)
    }

    @Test(
        "The tokens of a remote server's responses are read in the service's form",
        arguments: [TokenForm.bearer, .status419, .sessionCookie])
    func tokens(form: TokenForm) throws {
        let root = RandomStream(seed: 1)
        let service = Self.service(form)
            .service(randomness: root, userCount: 1)
        let (email, password) = try #require(service.accounts).credentials(of: 0)
        let request = URLRequest(
            url: WebURL(origin: "http://h", path: form.logIn.path), method: form.logIn.method,
            body: Body(#"{"email":"\#(email)","password":"\#(password)"}"#))
        let mint = TokenMint(policy: BackendPlan().tokens, randomness: root)
        mint.newest = TokenTexts()
        let scene = ServiceScene(now: .start, tokens: mint)
        let answer = service.answer(request, to: Route(row: 0), in: scene)
        let brought = try #require(service.tokens(in: answer, to: Route(row: 0)))
        #expect(brought == mint.newest && brought.access != nil && brought.refresh != nil)
        #expect(service.tokens(in: Answer(status: 401), to: Route(row: 0)) == nil)
    }
}
