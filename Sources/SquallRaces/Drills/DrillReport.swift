import SquallDocument
import SquallFormat
import SquallKernel

/// What a client keeps and what it breaks, drill by drill and server by server.
///
/// Its ``description`` depends on nothing but the client, the service and the seed: it can be kept
/// as a file and compared.
public struct DrillReport: Sendable, CustomStringConvertible {
    /// Every drill before every server, in the order of the table.
    public let cells: [Cell]
    let plan: ExplorationPlan
    let ground: any DrillGround
    let isReplay: Bool
    let preparation: DrillRound.Preparation

    /// A drill before a server.
    public struct Cell: Sendable {
        /// What was played.
        public let drill: Drill
        /// Before which server.
        public let server: DrillServer
        let outcome: Outcome

        /// Whether every promise was kept in every schedule, and what the drill is about was seen.
        public var passes: Bool { if case .passes = outcome { true } else { false } }
        /// What is wrong, a sentence each; empty when nothing is.
        public var findings: [String] { broken?.findings.map(\.violation.text) ?? [] }
        /// The number of the first schedule that showed it, from 1; `nil` when none did.
        public var firstSchedule: Int? { broken?.findings.map(\.schedule).min() }
        /// In how many schedules something was wrong.
        public var brokenSchedules: Int { broken?.count ?? 0 }
        /// How many schedules were played.
        public var schedules: Int { broken?.schedules ?? 0 }
        /// Why it was not asked or cannot be judged; `nil` when it was.
        public var reason: String? {
            switch outcome {
            case .notAsked(let reason), .notJudged(let reason): reason
            case .passes, .broken: nil
            }
        }

        var broken: Broken? { if case .broken(let broken) = outcome { broken } else { nil } }
    }

    enum Outcome: Sendable {
        case passes
        case broken(Broken)
        /// The client cannot do what it takes.
        case notAsked(String)
        /// What the drill is about never came about.
        case notJudged(String)
    }

    struct Broken: Sendable {
        let findings: [Finding]
        let count: Int
        let schedules: Int
        /// An order of events that keeps every promise, if any that was played does.
        let kept: Played?
    }

    /// Whether nothing is broken; never so when nothing could be judged, or when the client brings
    /// state of one world into the next.
    public var passes: Bool {
        preparation.isRepeatable && cells.contains(where: \.passes)
            && !cells.contains { $0.broken != nil }
    }

    /// The drills that are broken, before any server.
    public var broken: [Drill] {
        var seen: Set<String> = []
        return cells.filter { $0.broken != nil && seen.insert($0.drill.id).inserted }.map(\.drill)
    }

    /// What was played and judged: the table, and what each broken promise is about.
    public var description: String {
        String(document.text(Ink(isOn: false), width: DrillReport.width).dropLast())
    }
}
