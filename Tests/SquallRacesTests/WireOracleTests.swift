import SquallHTTP
import SquallJudge
import SquallKernel
import Testing

@testable import SquallBackend
@testable import SquallRaces

@Suite("One count of expiries, redundant refreshes and loops, recounted from the wire")
struct WireOracleTests {
    /// A line of a wire's log: what went out, when, and what came back.
    struct Line {
        var sent, ended: Int64
        var step: UInt32 = 0
        var call: UInt64 = 0
        var access: String
        /// For a refresh: what it showed and brought, and the token of the call that it is for.
        var refresh: String?
        var refused: String?
        var brings: (access: String, refresh: String)?
        var meaning: AnswerMeaning
    }

    /// The count by the rule, in words of the log only.
    struct Count: Equatable {
        var expiries = 0, refreshes = 0, redundant = 0, loops = 0

        init() {}

        init(_ log: [Line]) {
            let refreshes = log.filter { $0.refresh != nil }
            let refused = log.filter { $0.refresh == nil && $0.meaning == .expired }
            expiries = Set(refused.map(\.access)).count
            self.refreshes = refreshes.count
            redundant = refreshes.indices.count { index in
                let one = refreshes[index]
                return refreshes[..<index].contains { other in
                    let isBeside = other.meaning == .success || other.ended > one.sent
                    let isSpent =
                        other.meaning == .signedOut
                        || other.brings.map { $0.refresh != other.refresh } ?? false
                    return other.refused == one.refused && isBeside
                        || other.refresh == one.refresh && isSpent
                }
            }
            for step in Set(refused.map(\.step)) {
                for call in Set(refused.map(\.call)) {
                    var kept: [Line] = []
                    for line in refused where line.step == step && line.call == call {
                        if line.sent >= kept.last?.ended ?? .min { kept.append(line) }
                    }
                    let ends = kept.dropFirst().map(\.ended) + [Int64.max]
                    let times = zip(kept, ends).count { line, end in
                        refreshes.contains {
                            $0.step == step && $0.ended >= line.ended && $0.ended < end
                        }
                    }
                    if times >= 3 { loops += 1 }
                }
            }
        }
    }

    /// A client, drawn at random.
    struct Client {
        let isSingleFlight, losesToken, isDead, rotates, showsAccess: Bool
        let calls, tries: Int
        let failures: Double

        init(_ stream: RandomStream) {
            func flips(_ number: UInt64) -> Bool { stream.chance(0.4, at: number) }
            isSingleFlight = flips(0)
            losesToken = flips(1)
            isDead = flips(2)
            rotates = flips(3)
            showsAccess = flips(4)
            calls = 1 + Int(stream.integer(below: 4, at: 5))
            tries = 1 + Int(stream.integer(below: 6, at: 6))
            failures = flips(7) ? 0.3 : 0
        }
    }

    /// A device with one session, whose every step begins on an expired token.
    struct Device {
        let client: Client
        let stream: RandomStream
        var log: [Line] = []
        private var draws: UInt64 = 100
        private var tokens = 1
        private var access = "T0", refresh = "R0"
        private var good: Set<String> = []
        private var now: Int64 = 0

        init(_ client: Client, _ stream: RandomStream) {
            (self.client, self.stream) = (client, stream)
        }

        private mutating func span() -> Int64 {
            draws += 1
            return 1 + Int64(stream.integer(below: 50, at: draws))
        }

        mutating func step(_ step: UInt32) {
            good = []
            var open = (1...client.calls).map(UInt64.init)
            for _ in 0..<client.tries where !open.isEmpty {
                var refused: [Line] = []
                for call in open {
                    let sent = now
                    let isGood = good.contains(access)
                    let line = Line(
                        sent: sent, ended: sent + span(), step: step, call: call, access: access,
                        meaning: isGood ? .success : .expired)
                    if !isGood { refused.append(line) }
                    log.append(line)
                }
                open = refused.map(\.call)
                let shown = refresh
                let asking = client.isSingleFlight ? Array(refused.prefix(1)) : refused
                for line in asking { ask(for: line, showing: shown) }
                now = (log.map(\.ended).max() ?? now) + 1
            }
            now += 1_000
        }

        private mutating func ask(for refused: Line, showing shown: String) {
            draws += 1
            let fails = stream.chance(client.failures, at: draws)
            let isUsed = client.rotates && shown != refresh
            var line = Line(
                sent: refused.ended, ended: refused.ended + span(), step: refused.step,
                access: client.showsAccess ? refused.access : "", refresh: shown,
                refused: refused.access,
                meaning: fails ? .failure : client.isDead || isUsed ? .signedOut : .success)
            if line.meaning == .success {
                let new = "T\(tokens)"
                line.brings = (new, client.rotates ? "R\(tokens)" : shown)
                tokens += 1
                good.insert(new)
                if !client.losesToken { access = new }
                if client.rotates { refresh = "R\(tokens - 1)" }
            }
            log.append(line)
        }
    }

    @Test("Clients of every design, with loops and dead tokens, are counted as their wire says")
    func clients() {
        var (storms, loops) = (0, 0)
        for number in 0..<400 {
            let stream = RandomStream(seed: 7).stream(number: UInt64(number))
            var device = Device(Client(stream), stream)
            for step in 0..<4 { device.step(UInt32(step)) }
            let log = device.log.sorted { $0.ended < $1.ended }
            guard Set(log.map(\.ended)).count == log.count else { continue }
            let expected = Count(log)
            #expect(Self.counted(log) == expected, "\(device.client)")
            #expect(Self.redundantOfService(log) == expected.redundant, "\(device.client)")
            storms += expected.redundant > 0 ? 1 : 0
            loops += expected.loops > 0 ? 1 : 0
        }
        #expect(storms > 50 && loops > 20)
    }

    /// What `SessionExpiry` counts.
    private static func counted(_ log: [Line]) -> Count {
        var (session, count) = (SessionExpiry(), Count())
        for line in log {
            let access = line.access.isEmpty ? nil : TokenNumber(text: line.access)
            if let shown = line.refresh {
                var refresh = SessionExpiry.EndedRefresh(
                    handedOverAt: line.sent, isPrompted: true, RenewalEnding(line.meaning))
                refresh.refused = line.refused.map(TokenNumber.init(text:))
                (refresh.access, refresh.refresh) = (access, TokenNumber(text: shown))
                let (reason, loops) = session.ended(refresh, at: line.ended)
                session.got(
                    access: (line.brings?.access).map(TokenNumber.init(text:)),
                    refresh: (line.brings?.refresh).map(TokenNumber.init(text:)),
                    for: refresh.refresh)
                count.refreshes += 1
                count.redundant += reason.isRedundant ? 1 : 0
                count.loops += Int(loops.calls)
            } else if line.meaning == .expired {
                var request = SessionExpiry.RefusedRequest(
                    handedOverAt: line.sent, access: access)
                (request.call, request.step) = (line.call, line.step)
                if session.refused(request, at: line.ended) == .first { count.expiries += 1 }
            } else {
                session.succeeded(line.call)
            }
        }
        return count
    }

    /// What a mounted service counts as redundant, whose client does not say why it refreshes.
    private static func redundantOfService(_ log: [Line]) -> Int {
        let story = Story()
        story.recorder.describe { $0.tellsCauses = false }
        let moments = log.indices.flatMap { [(log[$0].sent, 1, $0), (log[$0].ended, 0, $0)] }
        for (_, isSent, index) in moments.sorted(by: { $0 < $1 }) {
            let line = log[index]
            let role: Endpoint.Role = line.refresh == nil ? .ordinary : .refresh
            if isSent == 1 {
                story.happens(
                    .sent, role, call: index, access: line.access.isEmpty ? nil : line.access,
                    refresh: line.refresh
                ) { $0.address = line.call }
            } else {
                story.happens(
                    .answered, role, call: index, access: line.brings?.access,
                    refresh: line.brings?.refresh, line.meaning)
            }
        }
        return story.recorder.redundantRefreshes.count
    }
}
