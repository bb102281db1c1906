import SquallFormat

/// Actions at moments to come, in their order.
final class ProbeAgenda {
    private var actions: [(due: Int64, action: () throws(ProbeEnd) -> Void)] = []
    private let client: ProbeClient
    /// What is due later is left out, so that there is time for the rest.
    let end: Int64

    init(_ client: ProbeClient) {
        self.client = client
        end = client.deadline - (client.deadline - client.startedAt) / 20
    }

    func at(_ due: Int64, _ action: @escaping () throws(ProbeEnd) -> Void) {
        let place = actions.firstIndex { $0.due > due } ?? actions.endIndex
        actions.insert((due, action), at: place)
    }

    /// Performs everything for which there is time, also what is added meanwhile.
    func play() throws(ProbeEnd) {
        defer { actions = [] }
        while let next = actions.first, max(next.due, client.now) < end {
            actions.removeFirst()
            if next.due > client.now { try client.wait(until: next.due) }
            try next.action()
        }
    }
}

/// The age up to which something was accepted, and from which on it was refused.
struct AgeBracket: Hashable, Sendable {
    /// The greatest age at which it was accepted, in nanoseconds; 0 where it never was.
    var accepted: Int64 = 0
    /// The least age at which it was refused; `nil` where it never was.
    var refused: Int64?
    /// The limit as it is stated; `nil` where it is not.
    var stated: Int64?

    /// True where one thing was accepted at a greater age than another was refused at: no single
    /// limit explains both.
    var isSpread: Bool { refused.map { $0 < accepted } ?? false }

    /// The roundest limit that explains both; `nil` where nothing was refused.
    ///
    /// Lives and leeways are settings, which people choose round.
    var limit: Int64? {
        guard let refused else { return nil }
        guard !isSpread else { return accepted }
        if let stated, stated > accepted, stated <= refused { return stated }
        for unit in Self.units {
            let multiple = refused / unit * unit
            if multiple > accepted { return multiple }
        }
        return refused
    }

    private static let units: [Int64] =
        [3_600, 600, 300, 60, 30, 10, 5, 1].map { $0 * 1_000_000_000 }
        + [500_000_000, 100_000_000, 10_000_000]
}

/// Finds up to which age something is accepted: first at ages far apart, then in between.
final class AgeSearch {
    /// One thing whose age counts from a moment that lies between two others.
    struct Sample {
        let since: ClosedRange<Int64>
        /// Asks whether it is still accepted; `nil` where the response says neither.
        let ask: () throws(ProbeEnd) -> (isAccepted: Bool?, exchange: ProbeExchange)
    }

    private(set) var bracket = AgeBracket()
    /// The exchange that shows each end of the bracket, with the age.
    private(set) var shown: (accepted: String, refused: String) = ("", "")
    var evidence: [String] { [shown.accepted, shown.refused].filter { !$0.isEmpty } }
    private let client: ProbeClient
    private let agenda: ProbeAgenda
    /// True where being asked changes nothing, so that one sample can be asked at many ages.
    private let isRepeatable: Bool
    private let prepare: () throws(ProbeEnd) -> Sample?
    private var rounds = 0
    /// The ages of this round that are still to be asked at.
    private var open: [Int64] = []

    private let roundsMax: Int

    /// The number of ages within the bracket in each of the later rounds.
    private static let between: Int64 = 8
    /// A bracket is exact enough below this share of the age, or below this time.
    private static let (share, least) = (0.01, 250_000_000 as Int64)

    init(
        _ client: ProbeClient, _ agenda: ProbeAgenda, isRepeatable: Bool, roundsMax: Int = 3,
        prepare: @escaping () throws(ProbeEnd) -> Sample?
    ) {
        (self.client, self.agenda, self.isRepeatable) = (client, agenda, isRepeatable)
        (self.roundsMax, self.prepare) = (roundsMax, prepare)
    }

    /// Begins with some ages, in ascending order.
    func begin(_ ages: [Int64]) {
        agenda.at(client.now) { [self] () throws(ProbeEnd) in try start(ages) }
    }

    private func start(_ ages: [Int64]) throws(ProbeEnd) {
        let round = rounds
        rounds += 1
        open = []
        if isRepeatable, round == 0 {
            guard let sample = try prepare() else { return }
            for age in ages { plan(sample, at: age, in: round) }
            return
        }
        // The oldest first: the young ones are due while the others are made.
        for age in ages.reversed() {
            guard let sample = try prepare() else { return }
            plan(sample, at: age, in: round)
        }
    }

    private func plan(_ sample: Sample, at age: Int64, in round: Int) {
        open.append(age)
        agenda.at(sample.since.upperBound + age) { [self] () throws(ProbeEnd) in
            guard round == rounds - 1, let place = open.firstIndex(of: age) else { return }
            open.remove(at: place)
            // What is older in this round would be refused, too. What is younger may be due later
            // still, where making samples takes longer than their ages are apart.
            if try !check(sample) { open.removeAll { $0 > age } }
            if open.isEmpty { try narrow() }
        }
    }

    /// Asks about a sample and narrows the bracket; false where it is refused.
    private func check(_ sample: Sample) throws(ProbeEnd) -> Bool {
        let (isAccepted, exchange) = try sample.ask()
        guard let isAccepted else { return true }
        guard !isAccepted else {
            let age = exchange.began - sample.since.upperBound
            guard age >= bracket.accepted else { return true }
            bracket.accepted = age
            shown.accepted = evidence(exchange, age)
            return true
        }
        let age = exchange.ended - sample.since.lowerBound
        guard age < bracket.refused ?? .max else { return false }
        bracket.refused = age
        shown.refused = evidence(exchange, age)
        return false
    }

    private func evidence(_ exchange: ProbeExchange, _ age: Int64) -> String {
        "\(client.evidence(exchange)) at the age of \(Units.approximate(nanoseconds: age))"
    }

    private func narrow() throws(ProbeEnd) {
        guard let refused = bracket.refused, !bracket.isSpread, rounds < roundsMax else {
            rounds = roundsMax + 1
            return
        }
        let width = refused - bracket.accepted
        guard Double(width) > max(Self.share * Double(refused), Double(Self.least)) else {
            rounds = roundsMax + 1
            return
        }
        let step = width / (Self.between + 1)
        let from = bracket.accepted
        try start((1...Self.between).map { from + $0 * step })
    }
}
