import SquallFormat

/// Remarks about the runs at an answer, other than about the server's own resources.
struct AnswerRemarks {
    let replications: [Replication]
    let connectionsPerHost: Int64

    /// The share of their time that attempts wait for connections from which on it is remarked.
    private static let connectionWaitMin = 0.5

    /// The remarks as sentences; empty where there are none.
    var sentences: [String] { connections.map { [$0] } ?? [] }

    /// Each user has connections of their own, so an average over users does not show them used up.
    private var connections: String? {
        let share = replications.map(\.connectionWait).mean
        guard share >= Self.connectionWaitMin else { return nil }
        let number = Units.counted(Int(connectionsPerHost), "connection")
        return "Used up there are the \(number) that each user has to a host: attempts wait for"
            + " one for \(Units.percent(share)) of their time."
    }
}
