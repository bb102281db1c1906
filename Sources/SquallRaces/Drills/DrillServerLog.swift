import SquallBackend

/// What the service of a drill has received so far, as its server saw it.
struct DrillServerLog {
    let history: History

    /// How many requests clients have sent.
    var requestCount: Int { history.events.count { $0.kind == .sent } }

    /// What it replied, in order.
    var log: [Reply] {
        history.events.compactMap { event in
            guard event.kind == .served, let meaning = event.meaning else { return nil }
            return Reply(isRefresh: event.role == .refresh, meaning: meaning)
        }
    }

    /// How many refreshes it received.
    var refreshes: Int { history.events.count { $0.kind == .served && $0.role == .refresh } }

    /// How many refreshes it refused because the session was over.
    var refusedRefreshes: Int { log.count { $0.isRefresh && $0.meaning == .signedOut } }

    /// A reply.
    struct Reply {
        let isRefresh: Bool
        let meaning: AnswerMeaning
    }
}
