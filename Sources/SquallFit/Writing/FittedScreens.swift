import SquallFormat

/// The screens and journeys of a fit, as profiles write them.
struct FittedScreens {
    /// The screens, one per line.
    private(set) var screenLines: [String] = []
    /// The journeys, one per line.
    private(set) var journeyLines: [String] = []
    /// The journeys' weights, as the members of an object.
    private(set) var weights = ""
    /// How often each journey was taken, by name, for those that were seen exactly.
    private(set) var counts: [(journey: String, count: Int)] = []
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
        let known = Set(fit.endpoints)
        var taken: Set<String> = []
        for kind in visits.screens.kinds {
            let groups = kind.groups.map { group in
                group.filter { known.contains(Int($0.symbol.call)) }
            }.filter { !$0.isEmpty }
            let first = groups.first?.first?.symbol
            let base = first.map { ($0.isNext ? "more-" : "") + calls[Int($0.call)] } ?? "other"
            let name = taken.insert(numbering: String(base.prefix(34)))
            names.append(name)
            for group in groups {
                for call in group where call.symbol.isNext { paged.insert(Int(call.symbol.call)) }
            }
            guard !groups.isEmpty else {
                names[names.count - 1] = ""
                continue
            }
            let lists = groups.map { group in
                "["
                    + group.map {
                        Self.call(calls[Int($0.symbol.call)], $0.symbol.isNext, $0.times)
                    }
                    .joined(separator: ", ") + "]"
            }
            screenLines.append(
                "{ \"name\": \(name.quoted), \"calls\": [\(lists.joined(separator: ", "))] }")
        }
        write(visits)
        if journeyLines.isEmpty { listCalls(fit, calls) }
    }

    /// Whether a call requests further pages.
    func pages(_ call: Int) -> Bool { paged.contains(call) }

    private static func call(_ name: String, _ isNext: Bool, _ times: Int) -> String {
        guard isNext || times > 1 else { return name.quoted }
        return "{ \"endpoint\": \(name.quoted)" + (isNext ? ", \"page\": \"next\"" : "")
            + (times > 1 ? ", \"times\": \(min(1_000, times))" : "") + " }"
    }

    private mutating func write(_ visits: Visits) {
        var members: [String] = []
        for (index, journey) in visits.journeys.enumerated() {
            let steps = journey.screens.map { names[$0] }.filter { !$0.isEmpty }
            guard !steps.isEmpty else { continue }
            let shown =
                steps.prefix(Self.shownSteps).joined(separator: ", ")
                + (steps.count > Self.shownSteps ? ", …" : "")
            let list = steps.map(\.quoted).joined(separator: ", ")
            let about = String("Seen \(journey.count) times: \(shown)".prefix(200))
            journeyLines.append(
                "{ \"name\": \"way\(index + 1)\", \"about\": \(about.quoted),"
                    + " \"steps\": [\(list)] }")
            members.append("\"way\(index + 1)\": \(min(1_000_000, journey.count))")
            counts.append(("way\(index + 1)", journey.count))
        }
        weights = members.joined(separator: ", ")
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
        screenLines = []
        var members: [String] = []
        for call in own.prefix(100) {
            let name = calls[call]
            names.append(name)
            screenLines.append("{ \"name\": \(name.quoted), \"calls\": [[\(name.quoted)]] }")
            journeyLines.append("{ \"name\": \(name.quoted), \"steps\": [\(name.quoted)] }")
            members.append("\(name.quoted): \(min(1_000_000, fit.log.calls[call].count))")
        }
        weights = members.joined(separator: ", ")
        remark =
            "Not known from this log: nothing in it tells people apart, so each call stands alone."
        journeyRemark = remark
        wayRemark = remark
    }
}
