public import SquallFormat

extension CallTrace {
    /// The trace in Chrome's format, which Perfetto also opens.
    ///
    /// A user is a process. The first lane has the steps from their planned beginnings; as many
    /// further lanes as needed have the requests, each with its attempts inside. An arrow leads
    /// from the expired response to the refresh it caused. Times are microseconds of virtual time.
    public var json: JSON {
        let events = Set(attempts.keys).union(steps.keys).sorted().flatMap { user in
            UserTrace(user, steps: steps[user] ?? [], attempts: attempts[user] ?? []).events
        }
        return .object([
            "displayTimeUnit": "ms",
            "otherData": .object([
                "clock": "virtual", "droppedEvents": .integer(dropped),
            ]),
            "traceEvents": .array(events),
        ])
    }
}

/// All attempts of one request, at least one.
private struct TracedRequest {
    let attempts: [ExampleRow.Attempt]
    let span: Range<Int64>

    init(_ attempts: [ExampleRow.Attempt]) {
        self.attempts = attempts.ordered { $0.ordinal < $1.ordinal }
        let end = attempts.map(\.endNanoseconds).max() ?? 0
        span = self.attempts[0].startNanoseconds..<end
    }

    var number: Int64 { attempts[0].request }
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

    init(_ user: Int64, steps: [CallTrace.Step], attempts: [ExampleRow.Attempt]) {
        self.user = user
        self.steps = steps.ordered { $0.span.lowerBound < $1.span.lowerBound }
        let requests = Dictionary(grouping: attempts, by: \.request).values
        self.requests = requests.map(TracedRequest.init).ordered {
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
        let category = request.attempts[0].refreshFor == nil ? "request" : "refresh"
        let whole = complete(
            request.attempts[0].endpoint, category, lane: lane, request.span,
            ["request": .integer(request.number)])
        let attempts = request.attempts.map { attempt in
            complete(
                "attempt \(attempt.ordinal): \(attempt.outcome)", "attempt", lane: lane,
                attempt.startNanoseconds..<attempt.endNanoseconds,
                [
                    "outcome": .string(attempt.outcome),
                    "waitNs": .integer(attempt.sentNanoseconds - attempt.startNanoseconds),
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
                    $0.isExpired && $0.endNanoseconds <= start
                })
            else { return [] }
            let number = user << 32 | refresh.number
            // The arrow must start inside the attempt's span, so before its end.
            let tail = max(refused.startNanoseconds, refused.endNanoseconds - 1)
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
    /// The steps and exchanges of traced users, for ui.perfetto.dev.
    static let trace = OutputFormat("trace.json") { $0.trace?.json.document }
}
