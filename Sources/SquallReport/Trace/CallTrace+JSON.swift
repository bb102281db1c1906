public import SquallFormat

extension CallTrace {
    /// The trace in Chrome's format, which Perfetto also opens.
    ///
    /// A user is a process. The first lane has the steps from their planned beginnings; as many
    /// further lanes as needed have the requests, each with its attempts inside. An arrow leads
    /// from the answer "expired" to the refresh it caused. Times are microseconds of virtual time.
    public var json: JSON {
        let users = Dictionary(grouping: requests, by: \.user)
        let stepping = Dictionary(grouping: steps, by: \.user)
        let events = Set(users.keys).union(stepping.keys).sorted().flatMap { user in
            UserTrace(user, steps: stepping[user] ?? [], requests: users[user] ?? []).events
        }
        return .object([
            "displayTimeUnit": "ms",
            "otherData": .object([
                "clock": "virtual", "droppedEvents": .integer(dropped),
            ]),
            "traceEvents": .array(events),
        ])
    }

    private var requests: [TracedRequest] {
        let groups = Dictionary(grouping: attempts) { [$0.user, $0.request] }
        return groups.values.map(TracedRequest.init)
    }
}

/// All attempts of one request.
private struct TracedRequest {
    let user: Int64
    let number: Int64
    let attempts: [CallTrace.Attempt]
    let span: Range<Int64>

    /// - Precondition: there is at least one attempt.
    init(_ attempts: [CallTrace.Attempt]) {
        let sorted = attempts.sorted { $0.ordinal < $1.ordinal }
        user = sorted[0].user
        number = sorted[0].request
        self.attempts = sorted
        let end = sorted.map(\.span.upperBound).max() ?? 0
        span = sorted[0].span.lowerBound..<end
    }

    var name: String { attempts[0].endpoint }

    var isRefresh: Bool { attempts[0].isRefresh }
}

/// The events of one user.
private struct UserTrace {
    private let user: Int64
    private let steps: [CallTrace.Step]
    private let requests: [TracedRequest]
    /// The lane of each step, from 0: one lane, unless steps were late and wait for each other.
    private let stepLanes: [Int64]
    /// The lane of each request, after those of the steps.
    private let lanes: [Int64]

    init(_ user: Int64, steps: [CallTrace.Step], requests: [TracedRequest]) {
        self.user = user
        self.steps = steps.sorted { $0.span.lowerBound < $1.span.lowerBound }
        self.requests = requests.sorted {
            ($0.span.lowerBound, $0.number) < ($1.span.lowerBound, $1.number)
        }
        stepLanes = UserTrace.lanes(of: self.steps.map(\.span), from: 0)
        let first = (stepLanes.max() ?? 0) + 1
        lanes = UserTrace.lanes(of: self.requests.map(\.span), from: first)
    }

    var events: [JSON] { names + stepEvents + zip(requests, lanes).flatMap(events) + arrows }

    /// The lowest lane that is free at each span's beginning.
    private static func lanes(of spans: [Range<Int64>], from first: Int64) -> [Int64] {
        var busyUntil: [Int64] = []
        return spans.map { span in
            let lane = busyUntil.firstIndex { $0 <= span.lowerBound } ?? busyUntil.count
            if lane == busyUntil.count { busyUntil.append(0) }
            busyUntil[lane] = span.upperBound
            return first + Int64(lane)
        }
    }

    private var names: [JSON] {
        let process = metadata("process_name", lane: 0, "user \(user)")
        let stepping = stepLanes.max() ?? 0
        let threads = (0...max(stepping, lanes.max() ?? 0)).map { lane in
            let name = lane <= stepping ? "steps" : "requests \(lane - stepping)"
            return metadata("thread_name", lane: lane, name)
        }
        return [process] + threads
    }

    private var stepEvents: [JSON] {
        zip(steps, stepLanes).map { step, lane in
            complete(
                step.name, "step", lane: lane, step.span,
                [
                    "outcome": .string(step.outcome), "delayNs": .integer(step.delayNanoseconds),
                ])
        }
    }

    private func events(of request: TracedRequest, in lane: Int64) -> [JSON] {
        let category = request.isRefresh ? "refresh" : "request"
        let whole = complete(
            request.name, category, lane: lane, request.span,
            ["request": .integer(request.number)])
        let attempts = request.attempts.map { attempt in
            complete(
                "attempt \(attempt.ordinal): \(attempt.outcome)", "attempt", lane: lane,
                attempt.span,
                [
                    "outcome": .string(attempt.outcome),
                    "waitNs": .integer(attempt.waitNanoseconds),
                ])
        }
        return [whole] + attempts
    }

    private var arrows: [JSON] {
        zip(requests, lanes).flatMap { refresh, lane -> [JSON] in
            let start = refresh.span.lowerBound
            guard let cause = refresh.attempts[0].refreshFor,
                let origin = requests.firstIndex(where: { $0.number == cause }),
                let refused = requests[origin].attempts.last(where: {
                    $0.isExpired && $0.span.upperBound <= start
                })
            else { return [] }
            let number = user << 32 | refresh.number
            // The arrow must start inside the attempt's span, so before its end.
            let tail = max(refused.span.lowerBound, refused.span.upperBound - 1)
            return [
                arrow("s", number, lane: lanes[origin], at: tail),
                arrow("f", number, lane: lane, at: start),
            ]
        }
    }

    private func metadata(_ name: String, lane: Int64, _ value: String) -> JSON {
        .object([
            "ph": "M", "name": .string(name), "pid": .integer(user), "tid": .integer(lane),
            "args": .object(["name": .string(value)]),
        ])
    }

    private func complete(
        _ name: String, _ category: String, lane: Int64, _ span: Range<Int64>,
        _ details: [String: JSON]
    ) -> JSON {
        .object([
            "ph": "X", "name": .string(name), "cat": .string(category),
            "pid": .integer(user), "tid": .integer(lane), "ts": microseconds(span.lowerBound),
            "dur": microseconds(span.upperBound - span.lowerBound), "args": .object(details),
        ])
    }

    private func arrow(_ phase: String, _ number: Int64, lane: Int64, at moment: Int64) -> JSON {
        .object([
            "ph": .string(phase), "name": "expired", "cat": "cause", "id": .integer(number),
            "pid": .integer(user), "tid": .integer(lane), "ts": microseconds(moment),
            "bp": "e",
        ])
    }

    private func microseconds(_ nanoseconds: Int64) -> JSON { .number(Double(nanoseconds) / 1_000) }
}

extension OutputFormat {
    /// What traced users did, for ui.perfetto.dev.
    static let trace = OutputFormat("trace.json") { $0.trace?.json.document }
}
