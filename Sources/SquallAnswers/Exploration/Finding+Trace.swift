import SquallFormat
import SquallRaces

extension Finding {
    /// The finding and its twin in Chrome's trace format, which Perfetto opens.
    ///
    /// Each is a process, with a lane for each call and one for each lane of the timeline. Times
    /// are microseconds of virtual time.
    var trace: JSON {
        let parts = [(played, Int64(1), "finding"), (twin, 2, "first in, first out")]
        return [
            "displayTimeUnit": "ms",
            "traceEvents": .array(
                parts.flatMap { played, process, name in
                    events(of: played, in: process, called: name)
                }),
        ]
    }

    private func events(of played: Played, in process: Int64, called name: String) -> [JSON] {
        guard let history = played.history else { return [] }
        let timeline = Timeline(played, of: process == 1 ? violation : nil)
        let names: [JSON] =
            [metadata("process_name", process, 0, name)]
            + Timeline.Lane.allCases.enumerated().map { lane, value in
                metadata("thread_name", process, Int64(lane), value.rawValue)
            }
        let instants = timeline.rows.enumerated().map { index, row -> JSON in
            let lane = Timeline.Lane.allCases.firstIndex(of: row.lane) ?? 0
            return [
                "ph": "i", "s": "t", "name": .string(row.text), "cat": .string(row.lane.rawValue),
                "pid": .integer(process), "tid": .integer(Int64(lane)),
                "id": .integer(Int64(index)),
                "ts": .number(Double(row.at) / 1000 + Double(index) / 1000),
                "args": [
                    "detail": .string(row.detail), "critical": .bool(row.isCritical),
                    "broken": .bool(row.isContradiction),
                ],
            ]
        }
        return names + instants + spans(in: history, process)
    }

    /// Each attempt, from leaving the device to its return, in the lane of its call.
    private func spans(in history: History, _ process: Int64) -> [JSON] {
        history.attempts.map { attempt -> JSON in
            let end = attempt.ended.map { history.events[$0].at } ?? history.endedAt
            let call = Int64(attempt.sent.user * 1_000 + (attempt.sent.request ?? 0))
            return [
                "ph": "X", "name": .string(history.name(attempt.sent.endpoint)),
                "cat": .string(attempt.isRefresh ? "refresh" : "request"),
                "pid": .integer(process), "tid": .integer(100 + call),
                "ts": .number(Double(attempt.sent.at) / 1000),
                "dur": .number(Double(end - attempt.sent.at) / 1000),
                "args": [
                    "status": .integer(Int64(attempt.status ?? 0)),
                    "token": .string(history.name(ofToken: attempt.sent.access)),
                ],
            ]
        }
    }

    private func metadata(
        _ name: String, _ process: Int64, _ thread: Int64, _ value: String
    ) -> JSON {
        [
            "ph": "M", "name": .string(name), "pid": .integer(process), "tid": .integer(thread),
            "args": ["name": .string(value)],
        ]
    }
}
