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
    var sentences: [String] { connections.map { [$0] } ?? [] }

    /// Connections of users are used up one user at a time, so that no average shows it.
    private var connections: String? {
        let share = replications.map(\.connectionWait).mean
        guard share >= Self.connectionWaitMin else { return nil }
        let number = Units.counted(Int(connectionsPerHost), "connection")
        return "Used up there are the \(number) that each user has to a host: attempts wait for"
            + " one for \(Units.percent(share)) of their time."
    }
}
