import SquallBackend
import SquallKernel

/// The events of a run as rows in lanes, for people.
public struct Timeline: Sendable {
    /// The rows, in order: repeats as one row, and without the middle where they are too many.
    public let rows: [Row]
    /// Every row before that.
    private let all: [Row]

    /// Where something happens.
    public enum Lane: String, CaseIterable, Hashable, Sendable {
        /// What the user and the app's tasks do.
        case person = "user"
        /// The client's calls.
        case client
        /// What travels.
        case wire
        /// What the server does.
        case server
        /// What the app keeps.
        case store
    }

    /// One thing that happened.
    public struct Row: Hashable, Sendable {
        /// When, in nanoseconds since the run began.
        public let at: Int64
        /// The lane that shows it.
        public let lane: Lane
        /// The user it happened to.
        public let user: Int
        /// The event, in a few words.
        public internal(set) var text: String
        /// More details; empty without any.
        public let detail: String
        /// How many choices of the schedule had been made.
        public let choice: Int
        /// True for the events that break the promise.
        public let isContradiction: Bool
        /// True for a request on its way to the server.
        var isRequest = false
        /// True for what the decisive choice made happen.
        public internal(set) var isCritical = false
        /// How many events it stands for.
        public internal(set) var count = 1
    }

    /// More rows than this are cut in the middle: they would be too many to read.
    static let rowsMax = 60
    /// How many rows stay on each side of a marked one.
    static let neighboursKept = 3

    /// The timeline of a run, with the events of a violation marked.
    public init(_ played: Played, of violation: Violation?) {
        guard let history = played.history else {
            self.init(all: [])
            return
        }
        let marked = Set(violation?.events ?? [])
        var rows = history.events.indices.map {
            Timeline.row(history.events[$0], in: history, isContradiction: marked.contains($0))
        }
        if let critical = played.departures.last {
            Timeline.mark(critical, in: &rows, of: history)
        }
        let users = Set(rows.map(\.user))
        let own = violation?.user ?? 0
        if users.count > 2 { rows = rows.filter { $0.user == own || $0.isContradiction } }
        self.init(all: rows)
    }

    private init(all rows: [Row]) {
        all = rows
        self.rows = Timeline.shortened(Timeline.collapsed(rows))
    }

    /// The timeline without the rows of some lanes; marked rows stay.
    func without(_ lanes: Set<Lane>) -> Timeline {
        Timeline(all: all.filter { $0.isMarked || !lanes.contains($0.lane) })
    }

    /// Where what matters begins: the last pause with a few rows between it and the first marked
    /// row; nil where nothing comes before.
    var beginning: Int64? {
        guard let marked = all.firstIndex(where: \.isMarked), marked > Timeline.neighboursKept
        else { return nil }
        return (1...marked - Timeline.neighboursKept).last {
            all[$0].at - all[$0 - 1].at >= Timeline.pauseNanoseconds
        }.map { all[$0].at }
    }

    private static let pauseNanoseconds: Int64 = 1_000_000_000

    /// The timeline from an instant on; all of it for nil.
    func from(_ instant: Int64?) -> Timeline {
        guard let instant else { return self }
        return Timeline(all: all.filter { $0.at >= instant })
    }

    /// The marked rows with their neighbours alone; without marked rows, the first ones.
    var aroundMarks: Timeline {
        let collapsed = Timeline.collapsed(all)
        guard collapsed.contains(where: \.isMarked) else {
            return Timeline(rows: Array(collapsed.prefix(Timeline.rowsMax / 4)), all: all)
        }
        return Timeline(rows: Timeline.shortened(collapsed, atMost: 0), all: all)
    }

    private init(rows: [Row], all: [Row]) {
        self.rows = rows
        self.all = all
    }

    /// Marks what a choice made happen; where no event was recorded before the next choice, an
    /// added row says what was chosen.
    ///
    /// A fault has a row of its own.
    private static func mark(
        _ critical: Schedule.Departure, in rows: inout [Row], of history: History
    ) {
        let own = rows.firstIndex { $0.lane == .person && $0.text == critical.fault }
        let place = rows.firstIndex { $0.choice > critical.position } ?? rows.count
        let isRecorded = place < rows.count && rows[place].choice == critical.position + 1
        if let marked = own ?? (isRecorded ? place : nil) {
            rows[marked].isCritical = true
            return
        }
        let time = place < rows.count ? rows[place].at : rows.last?.at ?? 0
        var row = Row(
            at: time, lane: .client, user: Int(critical.chosen.user ?? 0),
            text: Finding.words(for: critical.chosen, in: history), detail: "",
            choice: critical.position + 1, isContradiction: false)
        row.isCritical = true
        rows.insert(row, at: place)
    }

    private static func row(
        _ event: RaceEvent, in history: History, isContradiction: Bool
    ) -> Row {
        let (lane, text) = words(for: event, in: history)
        var details = ["user \(event.user)"]
        if let request = event.request { details.append("call \(request)") }
        if event.attempt > 0, event.request != nil { details.append("attempt \(event.attempt)") }
        if let task = event.task { details.append("task \(task)") }
        return Row(
            at: event.at, lane: lane, user: event.user, text: text,
            detail: details.joined(separator: ", "), choice: event.choice,
            isContradiction: isContradiction, isRequest: event.kind == .sent)
    }

    private static func words(for event: RaceEvent, in history: History) -> (Lane, String) {
        let call = event.request.map { "call \($0)" } ?? "call"
        let endpoint = history.name(event.endpoint)
        let access = history.name(ofToken: event.access)
        let text = history.name(event.text)
        switch event.kind {
        case .actBegan: return (.person, "\(text) begins")
        case .actEnded:
            let began = history.events.last { $0.kind == .actBegan && $0.act == event.act }
            let end = "\(history.name(began?.text)) ends"
            return (.person, text.isEmpty ? end : "\(end): \(text)")
        case .leaves: return (.person, "asks to sign out")
        case .meanwhile: return (.person, text)
        case .restarted: return (.person, "the app starts again")
        case .cameBack: return (.person, "the app comes back")
        case .callBegan: return (.client, "\(call) begins")
        case .callEnded: return (.client, "\(call) ends")
        case .callFailed: return (.client, "\(call) fails")
        case .cancelled: return (.client, "\(call) cancelled")
        case .completionLost: return (.client, "\(call): completion dropped")
        case .completionRepeated: return (.client, "\(call): completed again")
        case .signedOut: return (.client, "sign-in screen")
        case .signedIn: return (.client, "signed in")
        case .sent: return (.wire, "→ \(endpoint) \(tokens(event, history))")
        case .answered:
            return (.wire, "← \(event.status ?? 0) \(endpoint)\(brought(event, history))")
        case .unanswered: return (.wire, "✗ \(endpoint): \(text)")
        case .served: return (.server, "\(event.status ?? 0) \(endpoint) \(tokens(event, history))")
        case .issued:
            let token = history.name(ofToken: event.access ?? event.refresh)
            return (.server, "issues \(token)")
        case .expired: return (.server, "access tokens expire")
        case .stored: return (.store, "\(access) \(history.name(ofToken: event.refresh))")
        case .erased: return (.store, "empty")
        }
    }

    private static func tokens(_ event: RaceEvent, _ history: History) -> String {
        let all = [event.access, event.refresh].compactMap(\.self).map {
            history.name(ofToken: $0)
        }
        return all.isEmpty ? "without token" : all.joined(separator: " ")
    }

    private static func brought(_ event: RaceEvent, _ history: History) -> String {
        guard event.role != .ordinary, event.access != nil || event.refresh != nil else {
            return ""
        }
        return ": " + tokens(event, history)
    }
}

extension Finding {
    /// The order that it needs, in words; `nil` when it needs none, or a fault instead.
    public var orderThatMatters: String? {
        guard let critical, critical.fault == nil else { return nil }
        let history = played.history ?? History()
        let chosen = Finding.words(for: critical.chosen, in: history)
        let other = Finding.words(for: critical.passedOver, in: history)
        return "\(chosen) before \(other)"
    }

    fileprivate static func words(for event: ReadyEvent, in history: History) -> String {
        switch event.kind {
        case .message, .timer:
            guard event.label != "sleep", let user = event.user else { return "\(event.label)" }
            let request = Int(event.number >> 16)
            let sent = history.events.first {
                $0.kind == .sent && $0.user == Int(user) && $0.request == request
            }
            let name = history.name(sent?.endpoint)
            let call = history.callers[request] ?? "call \(request)"
            return "\(event.label) (\(call)\(name.isEmpty ? "" : ", \(name)"))"
        case .task, .mainTask, .actor:
            if let starter = history.starters[event.number] { return "\(starter) goes on" }
            let own = history.events.first { $0.task == event.number && $0.request != nil }
            guard let request = own?.request else { return "task \(event.number) goes on" }
            return "task \(event.number) of call \(request) goes on"
        }
    }
}

/// Fewer rows for readers, without hiding the events that a finding is about.
extension Timeline {
    /// The rows, with repeats of one moment as one row: `→ posts T0 (×12)`, and for calls in a
    /// row `calls 1–12 begin`.
    ///
    /// Repeats of up to four rows in turn, such as a refusal and the refresh that follows it,
    /// become that many rows. A marked row stays by itself.
    static func collapsed(_ rows: [Row]) -> [Row] {
        var result: [Row] = []
        var index = 0
        while index < rows.count {
            let best = (1...patternMax).lazy.map { ($0, repeats(of: $0, at: index, in: rows)) }
                .first { $0.1 >= repeatsMin }
            guard let (length, times) = best else {
                result.append(rows[index])
                index += 1
                continue
            }
            for place in index..<index + length {
                result.append(rows[place].standing(for: times, rows[place + (times - 1) * length]))
            }
            index += length * times
        }
        return result
    }

    private static let patternMax = 4
    private static let repeatsMin = 3

    /// How many times a number of rows follows itself from an index on.
    private static func repeats(of length: Int, at start: Int, in rows: [Row]) -> Int {
        var times = 1
        while start + (times + 1) * length <= rows.count {
            let next = start + times * length
            let isSame = (next..<next + length).allSatisfy { rows[$0].repeats(rows[$0 - length]) }
            guard isSame else { break }
            times += 1
        }
        return times
    }

    /// The beginning, the end, and the marked rows with their neighbours.
    static func shortened(_ rows: [Row], atMost rowsMax: Int = rowsMax) -> [Row] {
        guard rows.count > rowsMax else { return rows }
        let marked = rows.indices.filter { rows[$0].isMarked }
        var result: [Row] = []
        var hidden: [Row] = []
        for (index, row) in rows.enumerated() {
            let isKept =
                index < rowsMax / 2 || index >= rows.count - rowsMax / 2
                || marked.contains { abs($0 - index) <= neighboursKept }
            guard isKept else {
                hidden.append(row)
                continue
            }
            if !hidden.isEmpty { result.append(gap(hidden, before: row)) }
            hidden = []
            result.append(row)
        }
        return result
    }

    private static func gap(_ hidden: [Row], before row: Row) -> Row {
        let count = hidden.reduce(0) { $0 + $1.count }
        return Row(
            at: row.at, lane: .person, user: 0, text: "… \(count) more …", detail: "",
            choice: 0, isContradiction: false)
    }
}

extension Timeline.Row {
    var isMarked: Bool { isContradiction || isCritical }

    /// The sign before the row in a text.
    var mark: String { isCritical ? "▶ " : isContradiction ? "✗ " : "  " }

    /// True if it says what the row before it says, but for the next number of a call.
    fileprivate func repeats(_ other: Timeline.Row) -> Bool {
        guard at == other.at, lane == other.lane, user == other.user, !isMarked, !other.isMarked
        else { return false }
        if text == other.text { return true }
        guard let call = numberedCall, let earlier = other.numberedCall else { return false }
        return call.number == earlier.number + 1 && call.rest == earlier.rest
    }

    /// The number of the call in `call 3 begins`, and what follows it.
    private var numberedCall: (number: Int, rest: Substring)? {
        guard text.hasPrefix("call ") else { return nil }
        let words = text.dropFirst("call ".count)
        let digits = words.prefix { $0.isASCII && $0.isNumber }
        return Int(digits).map { ($0, words.dropFirst(digits.count)) }
    }

    /// The row that replaces itself and its repeats up to the last one.
    fileprivate func standing(for times: Int, _ last: Timeline.Row) -> Timeline.Row {
        var row = self
        row.count = times
        if let (first, rest) = numberedCall, let end = last.numberedCall?.number, end > first {
            var words = rest.split(separator: " ", omittingEmptySubsequences: false)
            // "begins" of one call is "begin" of several.
            if words.count > 1, words[0].isEmpty {
                let verb = words[1].prefix { $0 != ":" }
                if verb.last == "s" { words[1] = verb.dropLast() + words[1].dropFirst(verb.count) }
            }
            row.text = "calls \(first)–\(end)" + words.joined(separator: " ")
        } else {
            row.text += " (×\(times))"
        }
        return row
    }
}
