import SquallBackend
public import SquallFormat

/// A timeline as text: a line for each event, a column for each lane; where the columns are too
/// wide, each line begins with the lane's name.
public struct TimelineText {
    private let timeline: Timeline
    private let style: TerminalStyle
    /// The width of each lane, in order; nil where the lanes do not fit side by side.
    private let widths: [(lane: Timeline.Lane, width: Int)]?
    private let timeWidth: Int

    /// The width of each lane where there is room.
    private static let widths: [(lane: Timeline.Lane, width: Int)] = [
        (.person, 22), (.client, 22), (.wire, 30), (.server, 28), (.store, 8),
    ]

    /// The text of a timeline, no wider than a terminal as far as its words allow.
    public init(_ timeline: Timeline, style: TerminalStyle, width: Int = 200) {
        self.timeline = timeline
        self.style = style
        timeWidth = timeline.rows.reduce(11) { max($0, TimelineText.moment($1.at).count) }
        let room = width - timeWidth - 4
        let tight = TimelineText.widths.map { lane, _ in
            let texts = timeline.rows.filter { $0.lane == lane }.map(\.text.count)
            return (lane: lane, width: texts.reduce(lane.rawValue.count, max))
        }
        widths = [TimelineText.widths, tight].first { all in
            all.reduce(all.count - 1) { $0 + $1.width } <= room
        }
    }

    /// The lines, the first of them naming the lanes.
    public var lines: [String] {
        let names = widths?.map { $0.lane.rawValue.padded(to: $0.width) } ?? ["where   what"]
        let head = "  \("time".padded(to: timeWidth))  " + names.joined(separator: " ")
        return [head.withoutTrailingSpaces] + timeline.rows.map(line)
    }

    private func line(_ row: Timeline.Row) -> String {
        let time = TimelineText.moment(row.at).padded(to: timeWidth)
        let line = "\(row.mark)\(time)  \(indent(of: row.lane))\(row.text)".withoutTrailingSpaces
        if row.isCritical { return style.yellow(line) }
        return row.isContradiction ? style.red(line) : line
    }

    private func indent(of lane: Timeline.Lane) -> String {
        guard let widths else { return "\(lane.rawValue.padded(to: 6))  " }
        let before = widths.prefix { $0.lane != lane }.reduce(0) { $0 + $1.width + 1 }
        return String(repeating: " ", count: before)
    }

    /// The time of an event, as exact as readers need it: the lines show the order.
    private static func moment(_ nanoseconds: Int64) -> String {
        let step: Int64 = nanoseconds < 1_000_000_000 ? 10_000 : 1_000_000
        return Units.exact(nanoseconds: (nanoseconds + step / 2) / step * step)
    }
}

extension String {
    func padded(to width: Int) -> String {
        count >= width ? self : self + String(repeating: " ", count: width - count)
    }
}

/// The signs, status codes and outcomes of the timelines of a report, each explained once.
public struct TimelineLegend {
    private let histories: [History]
    private let hasReordering: Bool
    private let outcomes: [(name: String, meaning: String)]

    /// A legend for the timelines of findings; `outcomes` has the meanings of the words with which
    /// actions of the app can end, without the part after a dot.
    public init(of findings: [Finding], outcomes: [(name: String, meaning: String)]) {
        histories = findings.compactMap(\.played.history)
        hasReordering = findings.contains { $0.departures > 0 }
        self.outcomes = outcomes
    }

    /// The legend; nil where there is no timeline.
    public var section: Section? {
        guard !histories.isEmpty else { return nil }
        let signs =
            [("✗", "an event that breaks the promise")]
            + (hasReordering ? [("▶", "the last reordering or fault that the finding needs")] : [])
            + [
                ("→ ←", "a request with the tokens it carries; its response with new tokens"),
                ("T0 R0", "first access token and first refresh token; T1 and R1 are the next"),
            ]
        let rows = signs + statuses + people + ends
        return Section(
            "How to read the timelines", [.entries(rows.map { Entry($0.0, $0.1) })])
    }

    /// The failure codes that came back, by what the service means with them.
    private var statuses: [(String, String)] {
        var meanings: [Int: Set<String>] = [:]
        for event in histories.flatMap(\.events) where event.kind == .answered {
            guard let status = event.status, let meaning = event.meaning?.words(event.role) else {
                continue
            }
            meanings[status, default: []].insert(meaning)
        }
        return meanings.ordered { $0.key < $1.key }.map { status, meanings in
            ("\(status)", meanings.ordered(by: <).joined(separator: ", or "))
        }
    }

    /// The users of a drill, who share one device.
    private var people: [(String, String)] {
        let names = histories.map(\.people).max { $0.count < $1.count } ?? []
        guard let first = names.first else { return [] }
        return names.count == 1
            ? [(first, "the user of the device")]
            : [(names.joined(separator: ", "), "the first and the second user of the device")]
    }

    /// The outcomes of actions, as far as the app has meanings for them.
    private var ends: [(String, String)] {
        let seen = Set(
            histories.flatMap { history in
                history.events.filter { $0.kind == .actEnded }.map { history.name($0.text) }
            })
        return outcomes.filter { outcome in
            seen.contains { $0 == outcome.name || $0.hasPrefix(outcome.name + ".") }
        }.map { ($0.name, $0.meaning.prefix(1).lowercased() + $0.meaning.dropFirst().dropLast()) }
    }
}

extension AnswerMeaning {
    /// The meaning of a failure code for an attempt; `nil` where nothing failed.
    func words(_ role: Endpoint.Role) -> String? {
        switch self {
        case .success, .none: nil
        case .expired: "the access token has expired"
        case .signedOut: role == .refresh ? "the refresh token is refused" : "the session is over"
        case .refused: role == .refresh ? "the refresh is refused" : "the request is refused"
        case .failure: "the server failed"
        }
    }
}
