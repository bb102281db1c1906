import SquallFormat

/// What has to be known of the runs at an answer, beside what the server has only so much of.
struct AnswerRemarks {
    private let replications: [Replication]
    private let connectionsPerHost: Int64

    /// From which share of their time on attempts are held up by connections.
    private static let connectionWaitMin = 0.5

    init(_ replications: [Replication], connectionsPerHost: Int64) {
        self.replications = replications
        self.connectionsPerHost = connectionsPerHost
    }

    /// In sentences; empty where there is nothing.
    var sentences: [String] { [connections, transient].compactMap { $0 } }

    /// Connections of users are used up one user at a time, so that no average shows it.
    private var connections: String? {
        let share = replications.map(\.connectionWait).mean
        guard share >= Self.connectionWaitMin else { return nil }
        let number = Units.counted(Int(connectionsPerHost), "connection")
        return "Used up there are the \(number) that each user has to a host: attempts wait for"
            + " one for \(Units.percent(share)) of their time."
    }

    private var transient: String? {
        let rows = replications.map(\.unsettled)
        let late = rows.count { !$0.isEmpty }
        guard late > 0, late * 2 >= rows.count else { return nil }
        let names = Set(rows.flatMap(\.self)).sorted().joined(separator: ", ")
        return "What is measured there begins in a transient in \(late) of"
            + " \(Units.counted(rows.count, "run")): by MSER-5 \(names) had not settled. If the"
            + " beginning is not the question, let people come more slowly (arriveOver), or leave"
            + " more of it out (warmUp)."
    }
}
