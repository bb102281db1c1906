import SquallFormat

/// The screens and journeys of a fit, as a profile declares them.
struct FittedScreens {
    private(set) var screens: [ProfilePart] = []
    private(set) var journeys: [DeclaredAPI.Journey] = []
    /// The number of times that each journey was taken.
    private var taken: [Int] = []
    /// True if visits were seen, as opposed to calls only.
    private var areSeen = false
    private(set) var remark = ""
    private(set) var journeyRemark = ""
    private(set) var wayRemark = ""
    private var paged: Set<Int> = []
    /// The screens' names, in the order of their kinds.
    private(set) var names: [String] = []

    private static let shownSteps = 6

    init(_ fit: TrafficFit, _ calls: CallNames) {
        guard let visits = fit.visits, !visits.journeys.isEmpty else {
            listCalls(fit, calls)
            return
        }
        let signIn = fit.tokens.isSignInPlain && fit.hasSignIn ? fit.tokens.logIn : nil
        let signOut = fit.tokens.logOut
        let known = Set(fit.endpoints + [signIn, signOut].compactMap { $0 })
        func called(_ call: Int32) -> String {
            switch Int(call) {
            case signIn: "logIn"
            case signOut: "logOut"
            default: calls[Int(call)]
            }
        }
        var taken: Set<String> = []
        for kind in visits.screens.kinds {
            let groups = kind.groups.map { group in
                group.filter { known.contains(Int($0.symbol.call)) }
            }.filter { !$0.isEmpty }
            let first = groups.first?.first?.symbol
            let base = first.map { ($0.isNext ? "more-" : "") + called($0.call) } ?? "other"
            let name = taken.insert(numbering: String(base.prefix(34)))
            names.append(groups.isEmpty ? "" : name)
            guard !groups.isEmpty else { continue }
            let lists = groups.map { group in
                group.map { call in
                    if call.symbol.isNext { paged.insert(Int(call.symbol.call)) }
                    return DeclaredAPI.call(
                        called(call.symbol.call), isNext: call.symbol.isNext,
                        times: min(1_000, call.times))
                }
            }
            screens.append(DeclaredAPI.screen(name, lists))
        }
        write(visits)
        if journeys.isEmpty { listCalls(fit, calls) }
    }

    /// True for a call that requests further pages.
    func pages(_ call: Int) -> Bool { paged.contains(call) }

    /// The journeys' weights by name.
    var weights: ProfileValue {
        ProfileValue(
            zip(journeys, taken).map { ($0.name, ProfileValue(min(1_000_000, $1))) })
    }

    /// The number of times that each journey was taken, by name, for those that were seen exactly.
    var counts: [(journey: String, count: Int)] {
        areSeen ? zip(journeys, taken).map { ($0.name, $1) } : []
    }

    private mutating func write(_ visits: Visits) {
        for (index, journey) in visits.journeys.enumerated() {
            let steps = journey.screens.map { names[$0] }.filter { !$0.isEmpty }
            guard !steps.isEmpty else { continue }
            let shown =
                steps.prefix(Self.shownSteps).joined(separator: ", ")
                + (steps.count > Self.shownSteps ? ", …" : "")
            journeys.append(
                DeclaredAPI.Journey(
                    name: "way\(index + 1)",
                    about: String("Seen \(journey.count) times: \(shown)".prefix(200)),
                    steps: steps.map { ($0, 1) }))
            taken.append(journey.count)
        }
        areSeen = !journeys.isEmpty
        let count = visits.journeys.reduce(0) { $0 + $1.count }
        remark =
            "Calls that go out together, of \(Units.grouped(Int64(visits.screens.requests)))"
            + " requests."
        journeyRemark = "How often each way was taken, of \(Units.grouped(Int64(count))) visits."
        wayRemark =
            visits.exactShare > 0.95
            ? "The ways that were taken."
            : "The most frequent ways, \(Units.percent(visits.exactShare)) of all visits, and"
                + " others that stand for those like them."
    }

    /// Makes each call a visit of its own, for logs that do not tell users apart.
    private mutating func listCalls(_ fit: TrafficFit, _ calls: CallNames) {
        let own = fit.endpoints.ordered { fit.log.calls[$0].count > fit.log.calls[$1].count }
        screens = []
        for call in own.prefix(100) {
            let name = calls[call]
            names.append(name)
            screens.append(DeclaredAPI.screen(name, [["\(name)"]]))
            journeys.append(DeclaredAPI.Journey(name: name, steps: [(name, 1)]))
            taken.append(fit.log.calls[call].count)
        }
        remark =
            "Not known from this log: users cannot be identified, so each call is a journey of its"
            + " own."
        journeyRemark = remark
        wayRemark = remark
    }
}
