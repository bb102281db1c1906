import Foundation
import SquallFormat
import SquallReport
import Testing

@Suite("Trace")
struct TraceTests {
    /// A call that expires, the refresh it causes, its second attempt, and another beside it.
    static var sample: CallTrace {
        var trace = CallTrace()
        trace.append(attempt(1, 0, "posts", "419", 1_000..<3_000), of: 7)
        trace.append(attempt(2, 0, "file", "200", 2_000..<9_500), of: 7)
        trace.append(attempt(3, 0, "refresh", "200", 3_000..<5_000, for: 1), of: 7)
        trace.append(attempt(1, 1, "posts", "200", 5_000..<8_000), of: 7)
        trace.append(step: "read · main", of: 7, outcome: "rendered", span: 1_000..<9_500)
        return trace
    }

    static func attempt(
        _ request: Int64, _ ordinal: Int64, _ endpoint: String, _ outcome: String,
        _ span: Range<Int64>, for cause: Int64? = nil
    ) -> ExampleRow.Attempt {
        ExampleRow.Attempt(
            request: request, ordinal: ordinal, refreshFor: cause, endpoint: endpoint,
            outcome: outcome, isSuccess: outcome == "200",
            isExpired: ["401", "419"].contains(outcome), token: nil,
            startNanoseconds: span.lowerBound, sentNanoseconds: span.lowerBound,
            endNanoseconds: span.upperBound)
    }

    static func events(_ trace: CallTrace) throws -> [[String: Any]] {
        let document = try JSONSerialization.jsonObject(with: Data(trace.json.document.utf8))
        return try #require((document as? [String: Any])?["traceEvents"] as? [[String: Any]])
    }

    @Test("Requests that run at once lie in different lanes, each with its attempts inside")
    func lanes() throws {
        let events = try Self.events(Self.sample)
        let requests = events.filter { ["request", "refresh"].contains($0["cat"] as? String) }
        #expect(requests.compactMap { $0["name"] as? String } == ["posts", "file", "refresh"])
        #expect(requests.compactMap { $0["tid"] as? Int } == [1, 2, 3])
        #expect(requests.compactMap { $0["ts"] as? Double } == [1, 2, 3])
        #expect(requests.compactMap { $0["dur"] as? Double } == [7, 7.5, 2])
        #expect(events.filter { $0["cat"] as? String == "attempt" }.count == 4)
    }

    @Test("An arrow leads from the answer that the token expired to the refresh it caused")
    func arrows() throws {
        let arrows = try Self.events(Self.sample).filter { $0["cat"] as? String == "cause" }
        #expect(arrows.compactMap { $0["ph"] as? String } == ["s", "f"])
        #expect(arrows.compactMap { $0["tid"] as? Int } == [1, 3])
        #expect(arrows.compactMap { $0["ts"] as? Double } == [2.999, 3])
        #expect(Set(arrows.compactMap { $0["id"] as? Int }).count == 1)
    }

    @Test("An arrow begins at whatever the service calls an expired token")
    func otherWord() throws {
        var trace = CallTrace()
        trace.append(Self.attempt(1, 0, "posts", "401", 1_000..<3_000), of: 7)
        trace.append(Self.attempt(3, 0, "refresh", "200", 3_000..<5_000, for: 1), of: 7)
        let arrows = try Self.events(trace).filter { $0["cat"] as? String == "cause" }
        #expect(arrows.compactMap { $0["ph"] as? String } == ["s", "f"])
    }

    @Test("A user is a process with named lanes, and steps are in the first")
    func names() throws {
        let events = try Self.events(Self.sample)
        let names = events.filter { $0["ph"] as? String == "M" }
            .compactMap { ($0["args"] as? [String: Any])?["name"] as? String }
        #expect(names == ["user 7", "steps", "requests 1", "requests 2", "requests 3"])
        let step = try #require(events.first { $0["cat"] as? String == "step" })
        #expect(step["tid"] as? Int == 0 && step["dur"] as? Double == 8.5)
    }

    @Test("Steps beyond the limit of a trace are counted")
    func limit() {
        var trace = CallTrace()
        for moment in 0..<Int64(CallTrace.limit + 3) {
            trace.append(step: "s", of: 1, outcome: "o", span: moment..<moment + 1)
        }
        #expect(trace.count == CallTrace.limit)
        #expect(trace.dropped == 3)
    }
}
