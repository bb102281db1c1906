import SquallReport
import Testing

@Suite("Prometheus text")
struct PrometheusTests {
    @Test("A run's metrics are in the format's grammar, however odd their names")
    func grammar() throws {
        let names = ["GET /episodes", "a\"b\\c", "줄,{}=", ""]
        for name in names {
            let samples = try PrometheusGrammar(
                PrometheusText(try .sample(endpoint: name), .sample(endpoint: name)).text
            ).samples
            #expect(samples.count > 50)
        }
    }

    @Test("Counters carry their tags, and no total stands beside them to be counted twice")
    func counters() throws {
        let text = try PrometheusGrammar(PrometheusText(.sample(), .sample()).text)
        let requests = text.samples.filter { $0.name == "squall_requests_total" }
        let expired = ["app": "scrolly", "endpoint": "GET /episodes", "status": "419"]
        #expect(text.value("squall_requests_total", expired) == 1_204)
        let sum = requests.reduce(0.0) { $0 + $1.value }
        // 40 000 + 1 204 + 7 + 3 of episodes, 12 refreshes.
        #expect(sum == 41_226)
    }

    @Test("A histogram's buckets are cumulative, in seconds, and end at the count")
    func histogram() throws {
        let text = try PrometheusGrammar(PrometheusText(.sample(), .sample()).text)
        let tags = ["app": "scrolly", "journey": "read", "step": "list"]
        let name = "squall_step_duration_seconds"
        let bounds = ["0.005": 2.0, "0.25": 2, "0.5": 3, "10": 3, "+Inf": 3]
        for (bound, count) in bounds {
            let labels = tags.merging(["le": bound]) { $1 }
            #expect(text.value(name + "_bucket", labels) == count)
        }
        #expect(text.value(name + "_sum", tags) == 0.353)
        #expect(text.value(name + "_count", tags) == 3)
    }

    @Test("The run, its time and its expectations are told")
    func run() throws {
        let text = try PrometheusGrammar(PrometheusText(.sample(), .sample()).text)
        let labels = [
            "digest": "0123456789abcdef", "profile": "evening-storm", "seed": "42",
            "verdict": "failed",
        ]
        #expect(text.value("squall_run_info", labels) == 1)
        #expect(text.value("squall_run_virtual_seconds") == 600)
        let hangs = ["expression": "count==0", "metric": "hangs"]
        #expect(text.value("squall_threshold_ok", hangs) == 0)
    }
}
