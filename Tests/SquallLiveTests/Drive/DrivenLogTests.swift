import SquallBackend
import SquallLab
import SquallReport
import Testing

@testable import SquallFit

@Suite("The access log of a driven run")
struct DrivenLogTests {
    @Test(
        "A profile fitted to a driven run's log has its rate, times, token life and refreshes",
        arguments: ["asBuilt", "naive"])
    func fitted(design: String) throws {
        var lines: [String] = []
        let trial = try DrivenTrial(["populations[0].design=\(design)"])
        let summary = try trial.driven(logged: {
            lines.append(AccessLogForm.json.line($0, hidesSecrets: true))
        }).summary
        let fit = TrafficFit(try Self.log(of: lines), options: .init(workers: nil))
        let requests = try #require(summary.total(of: .requests)?.count)
        #expect(lines.count == Int(requests))
        let life = try #require(fit.tokens.lifetime)
        #expect((life.low ?? 0)...(life.high ?? 0) ~= 10e9 && life.value == 10e9)
        let each = try #require(fit.tokens.refreshesPerExpiry)
        #expect(abs(each.value - (summary.populations[0].refreshesPerExpiry ?? 0)) < 0.005)
        for (path, milliseconds) in [("/posts", 100.0), ("/me", 150)] {
            let call = try #require(fit.log.calls.firstIndex { $0.path == path })
            let law = try #require(fit.laws[call])
            #expect(abs(law.mean.value - milliseconds * 1e6) < 1e6, "\(path): \(law.mean)")
        }
    }

    private static func log(of lines: [String]) throws -> TrafficLog {
        var reader = try LogReader(format: "json", keepsWords: true)
        var bytes: [UInt8]? = lines.flatMap { Array($0.utf8) + [10] }
        try reader.read {
            defer { bytes = nil }
            return bytes
        }
        return try reader.finish()
    }
}
