import Foundation
import SquallReport
import Testing

@testable import SquallFit

/// Numbers between 0 and 1 in an order of no account, the same in every run.
struct Units01 {
    private var mutations: Mutations

    init(seed: Int) {
        mutations = Mutations(seed: seed)
        for _ in 0..<20 { _ = mutations.below(2) }
    }

    mutating func next() -> Double { (Double(mutations.below(1 << 30)) + 0.5) / Double(1 << 30) }

    mutating func exponential(_ mean: Double) -> Double { -mean * Foundation.log(next()) }

    mutating func normal() -> Double {
        (-2 * Foundation.log(next())).squareRoot() * Foundation.cos(2 * Double.pi * next())
    }
}

@Suite("Laws of durations")
struct FittedLawTests {
    @Test("The law that durations were drawn from is the one that is found", arguments: 1...5)
    func laws(seed: Int) throws {
        var units = Units01(seed: seed)
        let n = 3_000
        let exponential = try #require(FittedLaw((0..<n).map { _ in units.exponential(8e9) }))
        #expect(exponential.name == "exponential")
        let logNormal = try #require(
            FittedLaw((0..<n).map { _ in 2e7 * Foundation.exp(0.5 * units.normal()) }))
        #expect(logNormal.name == "logNormal")
        let uniform = try #require(FittedLaw((0..<n).map { _ in 1e9 + 1e9 * units.next() }))
        #expect(uniform.name == "uniform")
        let pareto = try #require(
            FittedLaw((0..<n).map { _ in 1e9 * Foundation.exp(-Foundation.log(units.next()) / 3) }))
        #expect(pareto.name == "pareto")
        let humps = try #require(
            FittedLaw((0..<n).map { $0 % 3 == 0 ? 1e9 + 1e7 * units.next() : 1e7 * units.next() }))
        #expect(humps.name == "empirical")
        #expect(FittedLaw([Double](repeating: 5e6, count: 100))?.name == "constant")
    }

    @Test("Of many durations those in between count, too, in whatever order they come")
    func order() throws {
        var units = Units01(seed: 3)
        let all = (0..<4_000).flatMap { _ in
            (0..<4).map { _ in 2e7 * Foundation.exp(0.5 * units.normal()) }.sorted()
        }
        let law = try #require(FittedLaw(all))
        #expect(law.name == "logNormal" && law.parameters.map(\.name) == ["median", "sigma"])
        let values = law.parameters.map(\.estimate.value)
        #expect(abs(values[0] / 2e7 - 1) < 0.02 && abs(values[1] - 0.5) < 0.02)
    }

    @Test("A clock of milliseconds does not hide a law of milliseconds")
    func coarse() throws {
        var units = Units01(seed: 3)
        let exact = (0..<3_000).map { _ in 2e7 * Foundation.exp(0.5 * units.normal()) }
        let coarse = exact.map { ($0 / 1e6).rounded() * 1e6 }
        #expect(FittedLaw(coarse, resolution: 1_000_000)?.name == "logNormal")
    }

    @Test("The intervals of a law's parameters hold the true ones in about 95 of 100 cases")
    func coverage() throws {
        var (mean, median, sigma) = (0, 0, 0)
        for seed in 1...200 {
            var units = Units01(seed: seed)
            let law = try #require(FittedLaw((0..<400).map { _ in units.exponential(8e9) }))
            if law.mean.interval.contains(8e9) { mean += 1 }
            let other = try #require(
                FittedLaw((0..<400).map { _ in 2e7 * Foundation.exp(0.5 * units.normal()) }))
            for parameter in other.parameters {
                if parameter.name == "median", parameter.estimate.interval.contains(2e7) {
                    median += 1
                }
                if parameter.name == "sigma", parameter.estimate.interval.contains(0.5) {
                    sigma += 1
                }
            }
        }
        // Four standard deviations of a binomial law below 190.
        #expect(mean >= 178 && median >= 170 && sigma >= 170, "\(mean) \(median) \(sigma)")
    }

    @Test("The interval of a mean holds it where the values of one user are alike")
    func alikeness() {
        var held = 0
        for seed in 1...100 {
            var (units, values, users) = (Units01(seed: seed), [Double](), [Int]())
            for user in 0..<20 {
                let own = 8e9 * Foundation.exp(0.5 * units.normal() - 0.125)
                values += (0..<30).map { _ in units.exponential(own) }
                users += [Int](repeating: user, count: 30)
            }
            let mean = Estimate(meanOf: values).widened(by: Estimate.alikeness(values, of: users))
            if mean.interval.contains(8e9) { held += 1 }
        }
        #expect(held >= 88)
    }

    @Test("The interval of a mean holds it where few of the values are the tail")
    func tail() {
        var held = 0
        for seed in 1...60 {
            var units = Units01(seed: seed)
            let law = FittedLaw((0..<400).map { _ in 2e9 * Foundation.pow(units.next(), -1 / 2.2) })
            if law?.mean.interval.contains(2e9 * 2.2 / 1.2) == true { held += 1 }
        }
        var units = Units01(seed: 1)
        let endless = FittedLaw((0..<400).map { _ in 2e9 * Foundation.pow(units.next(), -1 / 1.5) })
        #expect(held >= 58 && endless?.name == "pareto" && endless?.mean.low == nil, "\(held)")
    }

    @Test("A pause of which another is taken off has the law of what is left")
    func difference() throws {
        var units = Units01(seed: 9)
        let looks = (0..<4_000).map { _ in units.exponential(8e9) }
        let sums = (0..<2_000).map { _ in units.exponential(8e9) + units.exponential(60e9) }
        let law = try #require(FittedLaw(sums, less: looks, doubt: 0, isKnown: true))
        #expect(law.name == "exponential" && law.mean.interval.contains(60e9), "\(law.mean)")
    }
}

@Suite("Work and workers")
struct ServerTimesTests {
    /// What a line before some workers makes of arrivals at random and log-normal or exponential
    /// work.
    private func served(
        workers: Int, load: Double, seed: Int, count: Int = 6_000, resolution: Double = 1_000,
        isExponential: Bool = false
    ) -> [LoggedRequest] {
        var units = Units01(seed: seed)
        var free = [Double](repeating: 0, count: workers)
        var now = 1.7e18 - 1.7e18
        return (0..<count).map { number in
            let work =
                isExponential
                ? units.exponential(2e7 * Foundation.exp(0.125))
                : 2e7 * Foundation.exp(0.5 * units.normal())
            // Two by two, as the calls of a screen come.
            if number % 2 == 0 {
                now += units.exponential(4e7 * Foundation.exp(0.125) / (load * Double(workers)))
            }
            let worker = free.indices.min { free[$0] < free[$1] } ?? 0
            let start = max(now, free[worker])
            free[worker] = start + work
            let began = (now / resolution).rounded(.down) * resolution
            let ended = (free[worker] / resolution).rounded(.down) * resolution
            // JSON tells an end exactly and a duration by two clocks that were rounded down; nginx
            // has one clock of milliseconds for both.
            let rest = resolution < 1_000_000 ? free[worker] - ended : 0
            return LoggedRequest(
                began: Int64(began + rest), duration: Int64(ended - began), person: 1, call: 0,
                status: 200, isNextPage: false)
        }
    }

    @Test(
        "Workers and work are found under load, by clocks of microseconds and of milliseconds",
        arguments: [1, 3, 8], [1_000.0, 1_000_000.0])
    func workers(workers: Int, resolution: Double) throws {
        let requests = served(workers: workers, load: 0.8, seed: 1, resolution: resolution)
            .sorted { $0.began < $1.began }
        let times = ServerTimes(requests, resolution: Int64(resolution), isExact: true)
        let found = try #require(times.workers)
        #expect(found.value == Double(workers), "\(found)")
        let mean = Moments(times.services[0] ?? []).mean
        #expect(abs(mean / (2e7 * Foundation.exp(0.125)) - 1) < 0.05)
    }

    /// Four calls at once, two of each of two kinds, before four workers, always in one order or
    /// in any.
    private func screens(seed: Int, isInOrder: Bool) -> [LoggedRequest] {
        var units = Units01(seed: seed)
        var free = [Double](repeating: 0, count: 4)
        var now = 0.0
        return (0..<6_000).flatMap { _ in
            now += units.exponential(3e7)
            var numbers: [Int32] = [0, 1, 2, 3]
            for place in isInOrder ? 0..<0 : 1..<4 {
                numbers.swapAt(place, Int(units.next() * Double(place + 1)))
            }
            return numbers.map { number in
                let work = Foundation.exp(0.5 * units.normal()) * (number % 2 == 0 ? 1e7 : 3e7)
                let worker = free.indices.min { free[$0] < free[$1] } ?? 0
                free[worker] = max(now, free[worker]) + work
                return LoggedRequest(
                    began: Int64(now), duration: Int64(free[worker] - now), person: 1,
                    call: number % 2, status: 200, isNextPage: false)
            }
        }
    }

    @Test(
        "Calls that come together have each the law of its own, whichever stood first",
        arguments: [true, false])
    func together(isInOrder: Bool) {
        let times = ServerTimes(
            screens(seed: 1, isInOrder: isInOrder), resolution: 1_000, isExact: true)
        #expect(times.workers?.value == 4)
        #expect(times.waitedShare > 0.3)
        for (call, median) in [(Int32(0), 1e7), (1, 3e7)] {
            let logs = (times.services[call] ?? []).map { Foundation.log(max(1, $0)) }
            let moments = Moments(logs)
            // In the order in which they were answered 0.14 and 0.03 would be missing.
            #expect(abs(moments.mean - Foundation.log(median)) < 0.04, "\(call)")
            #expect(abs(moments.variance.squareRoot() - 0.5) < 0.07, "\(call)")
        }
    }

    /// Calls of two kinds, one to four at once, each kind before its own line or both before one,
    /// of work with four times the variance of an exponential law or with a law of logarithms; and
    /// after that maybe before a database's connections.
    private func lines(
        _ workers: [Int], seed: Int, load: Double = 0.4, isWild: Bool = false, connections: Int = 0
    ) -> [LoggedRequest] {
        var units = Units01(seed: seed)
        var free = workers.map { [Double](repeating: 0, count: $0) }
        var database = [Double](repeating: 0, count: connections)
        var (now, all) = (0.0, [LoggedRequest]())
        let count = Double(connections > 0 ? connections : workers.reduce(0, +))
        for number in 0..<3_000 {
            let size = 1 + number % 4
            now += units.exponential(2.5 * 2e7 / (load * count))
            for place in 0..<size {
                let call = size == 4 || place == 2 ? 1 : 0
                let line = min(call, workers.count - 1)
                let work =
                    isWild
                    ? units.exponential(units.next() < 0.887 ? 1.128e7 : 8.872e7)
                    : 1.765e7 * Foundation.exp(0.5 * units.normal())
                let worker = free[line].indices.min { free[line][$0] < free[line][$1] } ?? 0
                var end = max(now, free[line][worker])
                if connections > 0 {
                    end += 0.2 * units.exponential(2e7)
                    let own = database.indices.min { database[$0] < database[$1] } ?? 0
                    end = max(end, database[own]) + work
                    database[own] = end
                } else {
                    end += work
                }
                free[line][worker] = end
                all.append(
                    LoggedRequest(
                        began: Int64(now), duration: Int64(end - now), person: 1,
                        call: Int32(call), status: 200, isNextPage: false))
            }
        }
        return all
    }

    @Test("Workers of one line are found however much their work varies", arguments: [1, 3, 5])
    func wild(workers: Int) throws {
        let requests = lines([workers], seed: 1, load: 0.6, isWild: true)
        let times = ServerTimes(requests, resolution: 1_000, isExact: true)
        let found = try #require(times.workers)
        #expect(found.interval.contains(Double(workers)) && times.misfit == nil, "\(found)")
        #expect(abs(found.value - Double(workers)) <= 1)
    }

    @Test("Two lines, or a database behind workers, are not told as so many workers of one line")
    func notOneLine() {
        for isWild in [false, true] {
            let pools = ServerTimes(
                lines([3, 3], seed: 1, isWild: isWild), resolution: 1_000, isExact: true)
            #expect(pools.workers == nil && pools.misfit != nil, "\(isWild)")
            #expect((2...8).contains(pools.assumed ?? 0))
        }
        let database = ServerTimes(
            lines([12], seed: 1, load: 0.6, connections: 3), resolution: 1_000, isExact: true)
        #expect(database.workers == nil && database.misfit != nil)
    }

    @Test("Last come, first served is no line, however idle it is")
    func lastComeFirstServed() {
        var units = Units01(seed: 1)
        var (all, waiting, busy) = ([LoggedRequest](), [Double](), [Double]())
        var now = 0.0
        func serve(_ came: Double, at start: Double) {
            let end = start + units.exponential(2e7)
            busy.append(end)
            busy.sort()
            all.append(
                LoggedRequest(
                    began: Int64(came), duration: Int64(end - came), person: 1, call: 0,
                    status: 200, isNextPage: false))
        }
        for _ in 0..<10_000 {
            now += units.exponential(2e7 / (6 * 0.5))
            while let end = busy.first, end <= now {
                busy.removeFirst()
                if let last = waiting.popLast() { serve(last, at: end) }
            }
            if busy.count < 6 { serve(now, at: now) } else { waiting.append(now) }
        }
        let requests = all.sorted { $0.began < $1.began }
        let times = ServerTimes(requests, resolution: 1_000, isExact: true)
        #expect(times.workers == nil, "\(String(describing: times.workers))")
    }

    @Test("Clients on one beat tell too little of workers")
    func beat() {
        var units = Units01(seed: 5)
        let requests = (0..<120).flatMap { beat in
            var free = [Double](repeating: Double(beat) * 1e9, count: 8)
            return (0..<60).map { _ in
                let worker = free.indices.min { free[$0] < free[$1] } ?? 0
                free[worker] += 4e7 * Foundation.exp(0.5 * units.normal())
                return LoggedRequest(
                    began: Int64(beat) * 1_000_000_000,
                    duration: Int64(free[worker]) - Int64(beat) * 1_000_000_000, person: 1,
                    call: 0, status: 200, isNextPage: false)
            }
        }
        #expect(ServerTimes(requests, resolution: 1_000, isExact: true).workers == nil)
    }

    @Test("Where somebody says how many workers there are, the work is that before so many")
    func given() {
        let requests = lines([4], seed: 2, load: 0.7)
        let right = ServerTimes(requests, resolution: 1_000, isExact: true, workers: 4)
        #expect(right.misfit == nil && right.workers == nil)
        #expect(abs(Moments(right.services[0] ?? []).mean / 2e7 - 1) < 0.03)
        let wrong = ServerTimes(requests, resolution: 1_000, isExact: true, workers: 8)
        #expect(wrong.misfit != nil)
        #expect(Moments(wrong.services[0] ?? []).mean > 1.1 * 2e7)
    }

    @Test("Cheap refusals do not lower the work of a call")
    func refusals() throws {
        var units = Units01(seed: 1)
        var now = 0.0
        let lines = (0..<2_000).map { number in
            now += units.exponential(0.2)
            let isRefused = number % 4 == 0
            let work = isRefused ? 0.001 : units.exponential(0.07)
            return "{\"ts\":\(1_700_000_000 + now + work),\"method\":\"GET\",\"path\":\"/feed\","
                + "\"status\":\(isRefused ? 401 : 200),\"duration_s\":\(work),"
                + "\"user\":\"u\(number % 50)\"}"
        }
        let fit = TrafficFit(try reading(lines.joined(separator: "\n")))
        let mean = try #require(fit.commonLaw?.mean)
        #expect(mean.interval.contains(70e6), "\(mean)")
        #expect(fit.others.isEmpty)
        let refusal = try #require(fit.refusalLaw?.mean)
        #expect(refusal.count == 500 && abs(refusal.value / 1e6 - 1) < 0.1, "\(refusal)")
    }

    @Test("Times that vary much hide no worker", arguments: [2, 5], [0.3, 0.7])
    func variation(workers: Int, load: Double) throws {
        let requests = served(workers: workers, load: load, seed: 1, isExponential: true)
            .sorted { $0.began < $1.began }
        let times = ServerTimes(requests, resolution: 1_000, isExact: true)
        // A fifth of five workers' time is used so rarely at once that it may not be seen.
        if let found = times.workers {
            #expect(found.value == Double(workers), "\(found)")
        } else {
            #expect(workers == 5 && load < 0.5)
        }
    }

    @Test("Spans that had not ended count: 4 minutes in a log of 22 have no bias")
    func censored() {
        var (held, sum, cut) = (0, 0.0, 0.0)
        for seed in 1...40 {
            var units = Units01(seed: seed)
            var (ended, going) = ([Double](), [(span: Double, weight: Double)]())
            for _ in 0..<200 {
                var now = 0.0
                while now < 1_320 {
                    let span = units.exponential(240)
                    if now + span > 1_320 {
                        going.append((1_320 - now, 1))
                    } else {
                        ended.append(span)
                    }
                    now += span
                }
            }
            let found = Estimate(meanOf: Pauses.whole(ended, going: going))
            held += found.interval.contains(240) ? 1 : 0
            sum += found.value / 40
            cut += Moments(ended).mean / 40
        }
        #expect(abs(sum / 240 - 1) < 0.01 && held >= 34, "\(sum), \(held) of 40")
        #expect(cut < 0.9 * 240)
    }

    @Test("Where nobody waits the number of workers is not known")
    func idle() {
        let calm = served(workers: 40, load: 0.1, seed: 1)
        #expect(ServerTimes(calm, resolution: 1_000, isExact: true).workers == nil)
        let busy = served(workers: 3, load: 0.8, seed: 1)
        #expect(ServerTimes(busy, resolution: 1_000, isExact: false).workers == nil)
    }
}
