import SquallBackend
import SquallFormat
import SquallKernel

/// What happened in a run as rows in lanes, for people.
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
        /// Where.
        public let lane: Lane
        /// The user it happened to.
        public let user: Int
        /// What, in a few words.
        public internal(set) var text: String
        /// More details.
        public let detail: String
        /// How many choices of the schedule had been made.
        public let choice: Int
        /// Whether it is one of the events that break the promise.
        public let isContradiction: Bool
        /// Whether the choice that matters made it happen.
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

    /// The same without the rows of some lanes, but for marked ones.
    func without(_ lanes: Set<Lane>) -> Timeline {
        Timeline(all: all.filter { $0.isMarked || !lanes.contains($0.lane) })
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
            isContradiction: isContradiction)
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
