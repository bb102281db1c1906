import SquallFormat
import Testing

@testable import SquallReport

@Suite("Load generator in results")
struct GeneratorTests {
    private static func duration(_ nanoseconds: Int64) -> LatencySummary {
        var durations = Histogram()
        durations.record(nanoseconds)
        return LatencySummary(durations)
    }

    @Test("Lateness matters from 5 ms on, if it is a tenth of what requests took")
    func lateness() {
        func limits(_ late: Int64, _ took: Int64, of sent: Int64 = 300) -> [String] {
            GeneratorView.sample(lateNanoseconds: late * 1_000_000, sent: sent)
                .limits(of: Self.duration(took * 1_000_000))
        }
        #expect(limits(4, 4) == [])
        #expect(limits(6, 80) == [])
        #expect(limits(9, 80).count == 2)
        #expect(limits(9, 80)[1].hasPrefix("1 % of the requests were sent"))
        // Of 32 requests 1 % is not one request: only that half were late is known of them.
        #expect(limits(9, 80, of: 32).count == 1 && limits(9, 80, of: 5) == [])
    }

    @Test("Requests that a server may have seen twice are told, also of several generators")
    func sentAgain() throws {
        #expect(GeneratorView.sample().repeats == nil)
        let views = [3, 4].map { GeneratorView.sample(sentAgain: $0) }
        let two = try #require(GeneratorView.sum(of: views))
        #expect(two.repeats?.hasPrefix("7 requests of those that may be repeated") == true)
    }

    @Test("A full core, the limit of rate and missing descriptors are named")
    func others() {
        func limits(_ view: GeneratorView) -> [String] {
            view.limits(of: Self.duration(80_000_000))
        }
        #expect(limits(.sample()) == [])
        #expect(limits(.sample(processor: 0.95)) == ["it used 95 % of a core"])
        #expect(
            limits(.sample(throttled: 7)) == ["7 requests waited for the limit of 1 000 requests/s"]
        )
        #expect(limits(.sample(withoutDescriptor: 1))[0].hasPrefix("1 connection could not"))
    }

    @Test("Text and page name the server, show no inside of it, and promise no repetition")
    func text() throws {
        let summary = try RunSummary.sample {
            $0.fill(driven: true)
            $0.server = nil
        }
        let text = TextSummary(summary, style: TerminalStyle(isOn: false), isFull: true).text
        #expect(text.contains("Every request was sent to http://127.0.0.1:8080."))
        #expect(text.contains("Load generator\n") && text.contains("of real time"))
        #expect(text.contains("server_wait p(95)<1s"))
        #expect(!text.contains("digest") && !text.contains("No packet was sent"))
        #expect(!text.contains("Server\n") && !text.contains("Pagination\n"))
    }
}
