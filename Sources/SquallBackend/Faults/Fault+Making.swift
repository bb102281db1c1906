import SquallKernel

/// Faults for a program that knows them while it is written; profiles name theirs.
///
/// ```swift
/// conditions.faults = [
///     .answerDropped().on("refresh").onlyTurns(2...2),
///     .failing(status: 503).on("GET /posts").between(.seconds(5), and: .seconds(9)),
/// ]
/// ```
extension Fault {
    /// The server never sees the request.
    public static func requestDropped(_ notice: LossNotice = .timeout) -> Fault {
        Fault(.dropRequest(notice))
    }

    /// The server does what was asked, and its client never learns of it.
    public static func answerDropped(_ notice: LossNotice = .timeout) -> Fault {
        Fault(.dropAnswer(notice))
    }

    /// No connection comes about.
    public static func connectionRefused() -> Fault { Fault(.refuseConnection) }

    /// The request takes longer to the server by this span.
    public static func requestLate(by span: Duration) -> Fault {
        Fault(.latency(factor: 1, added: .constant(nanoseconds: nanoseconds(of: span))))
    }

    /// The server does what was asked in time, and its response takes longer back by this span.
    public static func answerLate(by span: Duration) -> Fault {
        Fault(
            .latency(
                factor: 1, added: .constant(nanoseconds: 0),
                addedDown: .constant(nanoseconds: nanoseconds(of: span))))
    }

    /// Phones change networks at the fault's beginning.
    public static func handover(_ how: Handover = .breaks) -> Fault { Fault(.handover(how)) }

    /// Phones have no network.
    public static func offline() -> Fault { Fault(.offline) }

    /// The server ends its connections at the fault's beginning; if it reloads, it finishes its
    /// work.
    public static func restart(isReload: Bool = false) -> Fault {
        Fault(.restart(isReload: isReload))
    }

    /// The response's second half is missing.
    public static func answerCut() -> Fault { Fault(.partialBody) }

    /// Some bytes of the response are overwritten with ones that no UTF-8 text has.
    public static func answerGarbled() -> Fault { Fault(.corruptBody) }

    /// The server gets the request twice; its client gets one response.
    public static func requestDoubled() -> Fault { Fault(.duplicate) }

    /// The server does nothing of what was asked and responds with a status, 400 to 599.
    public static func failing(status: Int) -> Fault {
        precondition((400...599).contains(status), "a failure has 400…599, got \(status)")
        return Fault(.serverError(status: status))
    }

    /// Sign-ins and refreshes are answered 200 with an error in place of a token.
    public static func withoutToken() -> Fault {
        Fault(.noToken(body: FaultKind.noTokenBody))
    }

    /// The server does nothing of what was asked and redirects; the address is in the header fields
    /// of the service's failures, as `Location`.
    public static func redirecting(status: Int = 307) -> Fault {
        precondition((300...399).contains(status), "a redirect has 300…399, got \(status)")
        return Fault(.serverError(status: status))
    }

    /// Some calls, or all when none is named, fail for a while, by the time of the world.
    ///
    /// ```swift
    /// conditions.faults = [.outage("refresh", from: .seconds(400), for: .seconds(3_600))]
    /// ```
    public static func outage(
        _ calls: String..., status: Int = 503, from start: Duration, for span: Duration
    ) -> Fault {
        failing(status: status).between(start, and: start + span).with {
            $0.scope.endpoints = Set(calls)
        }
    }

    /// A copy that concerns some calls only, by their names: `logIn`, `refresh` and `logOut` of a
    /// form, verb and path of a route.
    public func on(_ calls: String...) -> Fault { with { $0.scope.endpoints = Set(calls) } }

    /// A copy that strikes some of the attempts that it concerns, numbered from 1 in the order in
    /// which they reach the place where it strikes.
    public func onlyTurns(_ turns: ClosedRange<Int>) -> Fault {
        precondition(turns.lowerBound > 0, "the first turn is 1, got \(turns.lowerBound)")
        return with { $0.scope.turns = turns }
    }

    /// A copy that lasts a while, by the time of the world; the end is the first moment without it.
    public func between(_ start: Duration, and end: Duration) -> Fault {
        precondition(start >= .zero && start < end, "no time lies between \(start) and \(end)")
        return with {
            $0.start = Instant(nanoseconds: Fault.nanoseconds(of: start))
            $0.end = Instant(nanoseconds: Fault.nanoseconds(of: end))
        }
    }

    /// A copy that strikes with a probability, 0 to 1, decided by the world's seed.
    public func withProbability(_ probability: Double) -> Fault {
        precondition((0...1).contains(probability), "0…1 is a probability, got \(probability)")
        return with { $0.probability = probability }
    }

    private func with(_ change: (inout Fault) -> Void) -> Fault {
        var copy = self
        change(&copy)
        return copy
    }

    private static func nanoseconds(of span: Duration) -> Int64 {
        precondition(span >= .zero, "nothing comes before its time, got \(span)")
        return span.nanosecondsClamped
    }
}
