import SquallFormat

/// A user's requests at once or without a pause between: a screen that opened.
struct Burst {
    let began: Int64
    /// The duration and, in the last 16 bits, the screen: two words are half of a fit's memory.
    private var rest: UInt64

    init(screen: Int, began: Int64, ended: Int64) {
        let length = min(1 << 47, max(0, ended - began))
        (self.began, rest) = (began, UInt64(length) << 16 | UInt64(screen))
    }

    /// The screen, as an index in the list of kinds.
    var screen: Int {
        get { Int(rest & 0xFFFF) }
        set { rest = rest & ~0xFFFF | UInt64(newValue) }
    }
    var ended: Int64 { began + Int64(rest >> 16) }
}

/// The screens of an app as its calls show them: groups of calls that go out together.
struct Screens {
    /// The features that distinguish requests: the call, and if it asks for a further page.
    struct Symbol: Hashable, Comparable {
        let call: Int32
        let isNext: Bool

        init(_ request: LoggedRequest) {
            call = request.call
            isNext = request.isNextPage
        }

        static func < (left: Symbol, right: Symbol) -> Bool {
            (left.call, left.isNext ? 1 : 0) < (right.call, right.isNext ? 1 : 0)
        }
    }

    /// A screen.
    struct Kind {
        /// Its calls, and the number of each.
        let symbols: [Symbol: Int]
        /// The calls in the order in which they are sent; those of a group are sent at once.
        var groups: [[(symbol: Symbol, times: Int)]] = []
        var count = 0
    }

    /// The screens, the most frequent first.
    private(set) var kinds: [Kind] = []
    /// Each user's screens, in order.
    private(set) var visits: [ArraySlice<Burst>] = []
    /// Pauses within screens between the end of one group of calls and the next, in nanoseconds:
    /// the network's way down and up; and the number of the user of each.
    private(set) var turns: [(span: Double, user: Int)] = []
    /// The number of requests that were looked at.
    private(set) var requests = 0
    /// Screens that are two frequent ones at once, as where two users are taken for one.
    private(set) var doubles = 0
    /// The kinds of screens on which users sign out, by which visits end.
    private(set) var leaving: Set<Int> = []
    /// The mean time by which a screen may last longer than it seems to, since a second hides in
    /// which part of it each call came; in nanoseconds.
    private(set) var blur = 0.0

    /// The most screens in a profile; a rarer one counts as the most similar of these.
    static let kindsMax = 60
    private static let leastShare = 0.002

    /// Finds the screens; where times are in whole seconds they are inexact.
    init(
        _ people: [ArraySlice<LoggedRequest>], _ tokens: TokenTraffic, _ clock: Visits.Clock
    ) {
        // One user after the other: a copy of all requests would be most of the memory of a fit.
        let ways = people.lazy.map { person in person.filter { !tokens.isAboutTokens($0) } }
        let turns = AppTurns(ways, clock)
        var builder = Builder(requests: people.reduce(0) { $0 + $1.count })
        for (way, person) in zip(ways, people) {
            requests += way.count
            if !clock.isExact { builder.centre(person) }
            let refused = person.filter(tokens.isRefused).map { builder.moved($0, $0.began) }
            builder.add(way, turns, refused: refused)
        }
        (doubles, blur) = (builder.doubles, builder.blur)
        let (kinds, visits) = builder.finish()
        (self.kinds, self.visits) = (kinds, visits)
        leaving = Set(
            kinds.indices.filter { kind in
                kinds[kind].symbols.keys.contains { Int($0.call) == tokens.logOut }
            })
        // Within a second the spread, and not the network, decides how far calls are apart.
        self.turns = clock.isExact ? builder.turns : []
    }

    /// Collects bursts and finds their kinds.
    private struct Builder {
        var turns: [(span: Double, user: Int)] = []
        /// The screens of all users, one user after the other, and where each user's begin.
        private var bursts: [Burst] = []
        private var starts: [Int] = []
        private var numbers: [[Symbol: Int]: Int] = [:]
        private var kinds: [Kind] = []
        private var examples: [Int: [[LoggedRequest]]] = [:]
        private static let examplesMax = 200
        /// The most calls of a screen.
        private static let callsMax = 100
        /// Kinds beyond that many are one.
        private static let kindsMax = 1 << 16
        private static let second: Int64 = 1_000_000_000
        private var hidden: Int64 = 0
        var blur: Double { Double(hidden) / Double(max(1, bursts.count)) }
        /// The middle of a user's requests of one second, where times are in whole seconds.
        private var middles: [Int64: Int64] = [:]

        init(requests: Int) {
            // What is reserved costs nothing before it is used, and growing would take it twice.
            bursts.reserveCapacity(requests)
            turns.reserveCapacity(requests)
        }

        /// Takes a user's requests, of which a second tells no order.
        mutating func centre(_ person: ArraySlice<LoggedRequest>) {
            var sums: [Int64: (sum: Int64, count: Int64)] = [:]
            for request in person {
                let own = sums[request.ended / Self.second] ?? (0, 0)
                sums[request.ended / Self.second] = (
                    own.sum + request.ended % Self.second, own.count + 1
                )
            }
            middles = sums.reduce(into: [:]) {
                $0[$1.key] = $1.key * Self.second + $1.value.sum / $1.value.count
            }
        }

        /// A time of a request, moved as its end to the middle of its user's in that second: what
        /// was spread over the second may have come at once.
        func moved(_ request: LoggedRequest, _ time: Int64) -> Int64 {
            time + (middles[request.ended / Self.second] ?? request.ended) - request.ended
        }

        /// Adds a user's requests, and the times at which requests were refused that were then sent
        /// again.
        mutating func add(_ way: [LoggedRequest], _ app: AppTurns, refused: [Int64]) {
            let first = bursts.count
            var own = [LoggedRequest]()
            var (open, closed, next) = (Int64.min, Int64.min, 0)
            var (end, shown) = (Int64.min, Int64.min)
            for request in way {
                if let failed = Self.resent(by: request, of: own) {
                    own.remove(at: failed)
                } else if let last = own.last {
                    let gap = request.began - end
                    if gap >= app[last, request] || own.count == Self.callsMax {
                        close(own, from: open, shown, spreadTo: end)
                        own = []
                        (closed, end) = (shown, .min)
                    } else if gap >= 0 {
                        turns.append((Double(gap), starts.count))
                    }
                }
                if own.isEmpty {
                    // The screen opened when its first call was sent, even if that was refused.
                    let least = max(closed, request.began - TokenTraffic.episodeGap)
                    // A refusal in the second in which the last screen ended was that screen's.
                    while next < refused.count, refused[next] <= least { next += 1 }
                    open = moved(request, request.began)
                    if next < refused.count { open = min(refused[next], open) }
                }
                own.append(request)
                guard request.ended > end else { continue }
                (end, shown) = (request.ended, moved(request, request.ended))
            }
            if !own.isEmpty { close(own, from: open, shown, spreadTo: end) }
            if bursts.count > first { starts.append(first) }
        }

        /// The failed call of a screen that a request sends again.
        ///
        /// The wait before that is the app's, and neither a look at a screen nor the network.
        private static func resent(by request: LoggedRequest, of own: [LoggedRequest]) -> Int? {
            own.lastIndex {
                ($0.status >= 500 || $0.status == 429) && Symbol($0) == Symbol(request)
                    && (0..<AppTurns.most).contains(request.began - $0.ended)
            }
        }

        private mutating func close(
            _ own: [LoggedRequest], from began: Int64, _ end: Int64, spreadTo last: Int64
        ) {
            hidden += max(0, last - own[0].began - (end - began))
            var symbols: [Symbol: Int] = [:]
            for request in own { symbols[Symbol(request), default: 0] += 1 }
            let number: Int
            if let known = numbers[symbols] {
                number = known
            } else if kinds.count == Self.kindsMax {
                number = kinds.count - 1
            } else {
                number = kinds.count
                numbers[symbols] = number
                kinds.append(Kind(symbols: symbols))
            }
            kinds[number].count += 1
            if examples[number]?.count ?? 0 < Self.examplesMax {
                examples[number, default: []].append(own)
            }
            bursts.append(Burst(screen: number, began: began, ended: end))
        }

        /// The number of screens with the calls of two frequent ones together.
        var doubles: Int {
            let total = kinds.reduce(0) { $0 + $1.count }
            let frequent = kinds.filter { $0.count * 50 >= total }
            var sums: Set<[Symbol: Int]> = []
            for (index, one) in frequent.enumerated() {
                for other in frequent[index...] {
                    sums.insert(one.symbols.merging(other.symbols, uniquingKeysWith: +))
                }
            }
            return kinds.filter { $0.count * 50 < total && sums.contains($0.symbols) }
                .reduce(0) { $0 + $1.count }
        }

        /// The most frequent kinds, and each user's screens by these kinds.
        mutating func finish() -> ([Kind], [ArraySlice<Burst>]) {
            let total = kinds.reduce(0) { $0 + $1.count }
            let order = kinds.indices.ordered { (kinds[$1].count, $0) < (kinds[$0].count, $1) }
            var kept = order.prefix(Screens.kindsMax).filter {
                Double(kinds[$0].count) >= Screens.leastShare * Double(total)
            }
            if kept.isEmpty { kept = Array(order.prefix(Screens.kindsMax)) }
            var positions: [Int: Int] = [:]
            for (position, number) in kept.enumerated() { positions[number] = position }
            // A rare kind counts as the frequent one that is most like it.
            for number in order where positions[number] == nil {
                let own = kinds[number].symbols
                positions[number] = kept.indices.max {
                    likeness(own, kept[$0]) < likeness(own, kept[$1])
                }
            }
            let frequent = kept.map { number in
                var kind = kinds[number]
                kind.groups = Self.groups(of: kind, examples[number] ?? [])
                return kind
            }
            let places = kinds.indices.map { positions[$0] ?? 0 }
            for index in bursts.indices { bursts[index].screen = places[bursts[index].screen] }
            let ends = starts.dropFirst() + [bursts.count]
            return (frequent, zip(starts, ends).map { bursts[$0..<$1] })
        }

        private func likeness(_ own: [Symbol: Int], _ other: Int) -> Double {
            let others = kinds[other].symbols
            var (common, all) = (0, others.reduce(0) { $0 + $1.value })
            for (symbol, count) in own {
                common += min(count, others[symbol] ?? 0)
                all += max(0, count - (others[symbol] ?? 0))
            }
            return Double(common) / Double(max(1, all))
        }

        /// The groups of a kind's calls: a call that always begins after others ended comes later,
        /// and so does one that begins after the same call ended.
        private static func groups(
            of kind: Kind, _ examples: [[LoggedRequest]]
        ) -> [[(symbol: Symbol, times: Int)]] {
            let calls = kind.symbols.keys.sorted().flatMap { symbol in
                Array(repeating: symbol, count: kind.symbols[symbol] ?? 1)
            }
            // Each example's requests in the order of the calls, the same calls as they began.
            let ordered = examples.map { example in
                example.ordered { (Symbol($0), $0.began) < (Symbol($1), $1.began) }
            }
            var levels = [Int](repeating: 0, count: calls.count)
            var before = [[Int]](repeating: [], count: calls.count)
            for call in calls.indices {
                before[call] = calls.indices.filter { other in
                    other != call
                        && ordered.count { isAfter($0[call], $0[other]) } * 50
                            >= ordered.count * 49
                }
            }
            for call in calls.indices.ordered(by: { before[$0].count < before[$1].count }) {
                levels[call] = before[call].map { levels[$0] + 1 }.max() ?? 0
            }
            return calls.indices.map { level in
                calls.indices.filter { levels[$0] == level }.reduce(into: []) { group, call in
                    if let last = group.indices.last, group[last].symbol == calls[call] {
                        group[last].times += 1
                    } else {
                        group.append((symbol: calls[call], times: 1))
                    }
                }
            }.filter { !$0.isEmpty }
        }

        private static func isAfter(_ request: LoggedRequest, _ other: LoggedRequest) -> Bool {
            // Lines are not written at the very end of a response.
            let late = min(TrafficCollector.writing, other.duration / 2)
            return request.began >= other.ended - late
        }
    }
}
