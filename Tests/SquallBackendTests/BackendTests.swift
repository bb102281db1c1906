import SquallCases
import SquallHTTP
import SquallKernel
import Testing

@testable import SquallBackend

@Suite("The backend")
struct BackendTests {
    @Test("A page in a web view is answered at once, and stands in nobody's numbers")
    func webView() throws {
        let world = BackendWorld()
        let (transport, request, log) = (
            world.backend.webViewTransport, world.request(), world.log
        )
        world.simulation.spawn {
            let cause = RequestCause(user: 0, request: 1)
            guard let answer = try? await transport.send(request, cause: cause) else { return }
            log.answers.append(answer)
        }
        try world.run()
        #expect(world.log.answers.map(\.head.statusCode) == [200])
        #expect(world.simulation.now == .start && world.ends.isEmpty && world.log.served.isEmpty)
    }

    @Test("A token that is issued as expired is so at that very moment")
    func issuedExpired() {
        let world = BackendWorld()
        func judgement(isExpired: Bool) -> TokenMint.Judgement {
            let token = world.backend.issue(.access, to: 0, isExpired: isExpired)
            return world.backend.tokens.judge(token, as: .access, at: .start)
        }
        #expect(judgement(isExpired: true) == .expired(user: 0))
        #expect(judgement(isExpired: false) == .valid(user: 0))
    }

    @Test("Two lists are the same by keeper and key, whatever type the key has")
    func lists() {
        final class Keeper: ListKeeper {
            func items(of list: ListID) -> [Int32] { [1, 2, 3] }
        }
        let keeper = Keeper()
        let list = ListID("a", keptBy: keeper)
        #expect(list == ListID("a", keptBy: keeper) && list != ListID("b", keptBy: keeper))
        #expect(
            list != ListID("a", keptBy: Keeper())
                && ListID(1, keptBy: keeper) != ListID("1", keptBy: keeper))
        #expect(ListID(UInt8(1), keptBy: keeper) != ListID(Int8(1), keptBy: keeper))
        #expect(list.items(numberedBelow: 3) == [1, 2])
    }

    @Test("A number names one exchange until that is over, also when its place is taken again")
    func numbers() {
        let world = BackendWorld()
        func exchange() -> Exchange {
            Exchange(
                world.request(), cause: RequestCause(user: 0, request: 1),
                to: world.backend.services.destination(of: world.request()), at: .start)
        }
        var table = ExchangeTable()
        let (first, second) = (table.insert(exchange()), table.insert(exchange()))
        table.remove(first)
        #expect(table[first] == nil && table[second] != nil && table.count == 1)
        let third = exchange()
        let number = table.insert(third)
        #expect(table[number] === third && table[first] == nil && table.count == 2)
        table.remove(first)
        #expect(table[number] === third && table[7] == nil)
    }

    @Test("A line keeps its order when one leaves from its beginning, its middle or its end")
    func line() {
        let world = BackendWorld()
        for leaving in 0..<3 {
            var (table, line) = (ExchangeTable(), ConnectionLine())
            var all: [Exchange] = (0..<3).map { _ in
                let exchange = Exchange(world.request(), cause: RequestCause(), of: world.backend)
                exchange.number = table.insert(exchange)
                line.append(exchange, in: table)
                return exchange
            }
            let gone = all.remove(at: leaving)
            gone.number.map { table.remove($0) }
            line.remove(gone, in: table)
            line.remove(gone, in: table)
            for waiting in all {
                #expect(line.next(in: table) === waiting)
                line.remove(waiting, in: table)
            }
            #expect(line.next(in: table) == nil)
        }
    }

    @Test("Expired access tokens and revoked refresh tokens are no longer good, the others are")
    func expireAll() {
        let far = BackendWorld()
        let tokens = [TokenMint.Kind.access, .refresh].map { ($0, far.backend.issue($0, to: 0)) }
        func isGood() -> [Bool] {
            tokens.map { kind, text in
                far.backend.tokens.judge(text, as: kind, at: .start) == .valid(user: 0)
            }
        }
        #expect(isGood() == [true, true])
        far.backend.expireAccessTokens()
        #expect(isGood() == [false, true])
        far.backend.revokeRefreshTokens()
        #expect(isGood() == [false, false])
    }

    @Test("When measuring has stopped requests count, but not how busy they keep the server")
    func stopped() throws {
        let far = BackendWorld()
        far.send(1)
        try far.run()
        far.backend.stopMeasuring()
        let busy = far.backend.counters.server.workers.busy
        far.send(1, first: 1)
        try far.run()
        let server = far.backend.counters.server
        #expect(server.received == 2 && server.workers.busy == busy)
        #expect(far.backend.counters.answered == 2 && far.backend.counters.unanswered == 0)
    }

    @Test("With constant spans an exchange takes exactly their sum")
    func latency() throws {
        let far = BackendWorld()
        far.send(1)
        try far.run()
        #expect(far.ends == ["0 ok at 45 ms"])
    }

    @Test("Six exchanges of a user travel at once; the others wait their turn in order")
    func connections() throws {
        let far = BackendWorld()
        far.send(8)
        try far.run()
        #expect(far.ends.prefix(6).allSatisfy { $0.hasSuffix("at 45 ms") })
        #expect(far.ends.suffix(2) == ["6 ok at 90 ms", "7 ok at 90 ms"])
    }

    @Test("As many exchanges travel at once as the network allows, to the last of 256")
    func manyConnections() throws {
        let far = BackendWorld { plan in
            plan.network.connectionsPerHost = 256
            plan.server.workers = 256
        }
        far.send(257)
        try far.run()
        #expect(far.ends.prefix(256).allSatisfy { $0.hasSuffix("at 45 ms") })
        #expect(far.ends.last == "256 ok at 90 ms")
    }

    @Test(
        "A session with a pool of its own does not wait for the app's connections, nor they for it")
    func pools() throws {
        let far = BackendWorld()
        far.send(7)
        far.send(7, first: 10, pool: 1)
        try far.run()
        let late = far.ends.filter { $0.hasSuffix("at 90 ms") }
        #expect(late == ["6 ok at 90 ms", "16 ok at 90 ms"] && far.ends.count == 14)
    }

    @Test("A request with a patience of its own is given up then, whatever the network's is")
    func ownTimeout() throws {
        let far = BackendWorld { $0.server.serviceTime = .constant(nanoseconds: 500_000_000) }
        var request = far.request()
        request.timeoutNanoseconds = 100_000_000
        far.send(request)
        far.send(far.request(), first: 1)
        try far.run()
        #expect(far.ends == ["0 timedOut at 100 ms", "1 ok at 540 ms"])
    }

    @Test("Requests beyond the workers wait in line, and beyond the line they are answered 503")
    func queue() throws {
        let far = BackendWorld { plan in
            plan.server.workers = 1
            plan.server.queueLimit = 2
        }
        far.send(4)
        try far.run()
        #expect(far.ends == ["3 503 at 40 ms", "0 ok at 45 ms", "1 ok at 50 ms", "2 ok at 55 ms"])
        #expect(far.backend.counters.server.workers.waiting.highest == 2)
    }

    @Test("A client that waits too long is told so then, and the late answer is dropped")
    func timeout() throws {
        let far = BackendWorld { plan in
            plan.server.serviceTime = .constant(nanoseconds: 500_000_000)
            plan.network.timeoutNanoseconds = 100_000_000
        }
        far.send(1)
        try far.run()
        #expect(far.ends == ["0 timedOut at 100 ms"])
        let counters = far.backend.counters
        #expect(counters.answered == 0 && counters.unanswered == 1 && far.backend.inFlight == 0)
    }

    @Test("A cancelled exchange ends at once; its work is done all the same")
    func cancellation() throws {
        let far = BackendWorld()
        far.send(1, cancelAfterNanoseconds: 10_000_000)
        try far.run()
        #expect(far.ends == ["0 cancelled at 10 ms"])
        #expect(far.backend.counters.received == 1 && far.backend.counters.replied == 1)
        #expect(far.backend.inFlight == 0)
    }

    @Test("Every request that was handed over is accounted for, and none is left", arguments: 1...5)
    func conservation(seed: Int) throws {
        let far = BackendWorld(seed: UInt64(seed)) { plan in
            plan.network.up = .exponential(mean: 30_000_000)
            plan.server.workers = 2
            plan.server.queueLimit = 5
            plan.network.timeoutNanoseconds = 60_000_000
        }
        far.send(200)
        try far.run()
        let counters = far.backend.counters
        #expect(counters.handedOver == 200 && far.ends.count == 200)
        #expect(counters.answered + counters.unanswered == 200 && far.backend.inFlight == 0)
        #expect(counters.received == counters.replied)
        #expect(far.backend.conservationLaws.allSatisfy { $0.holds })
    }

    @Test("A search goes to its own host: past the server's line, and longer the further it pages")
    func search() throws {
        let far = BackendWorld { plan in
            plan.server.workers = 1
            plan.services.catalogue.serviceTime = .constant(nanoseconds: 30_000_000)
            plan.services.catalogue.nanosecondsPerRow = 100_000
        }
        far.send(2)
        let url = WebURL(
            origin: "https://openapi.naver.com", path: "/v1/search/shop.json",
            query: "query=a&start=91")
        far.send(
            URLRequest(
                url: url, headers: ["X-Naver-Client-Id": "id", "X-Naver-Client-Secret": "s"]))
        try far.run()
        // 100 rows of 0.1 ms make 10 ms; up, search and down take 20 + 30 + 20 ms.
        #expect(far.ends == ["0 ok at 45 ms", "1 ok at 50 ms", "0 ok at 80 ms"])
        #expect(far.backend.counters.received == far.backend.counters.replied)
    }
}
