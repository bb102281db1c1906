import Foundation
import SquallProof
import Testing

@testable import CommandLineTool
@testable import DeveloperTool

@Suite("squall-dev selftest")
struct SelfTestCommandTests {
    private let model = ["selftest", "--filter", "M/M/1/1"]

    @Test("A simulation that agrees with theory passes, with the numbers of both")
    func passes() throws {
        let squall = try PlayedTool(commands: [.selfTest()])
        #expect(squall.tool.main(model, console: squall.console) == .passed)
        let lines = squall.console.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("PASSED  2 checks · seed 1") == true)
        // Erlang's B of one worker that is offered half its capacity is a third.
        #expect(
            lines.contains {
                $0.hasPrefix("  M/M/1/1 a=0.5  P(refused)  ") && $0.contains("0.3333")
            })
        #expect(squall.console.errors.isEmpty)
    }

    @Test("A biased service time fails with exit code 1 and names what is off")
    func fails() throws {
        let squall = try PlayedTool(commands: [.selfTest()])
        #expect(squall.tool.main(model + ["--bias", "10"], console: squall.console) == .failed)
        #expect(squall.console.output.hasPrefix("FAILED  1 of 2 checks"))
        #expect(squall.console.output.contains("✗"))
    }

    @Test("The JSON of the self-test has the numbers of its text, with every digit")
    func json() throws {
        let squall = try PlayedTool(commands: [.selfTest()])
        #expect(
            squall.tool.main(model + ["--json", "--seed", "7"], console: squall.console) == .passed)
        let document = try JSONSerialization.jsonObject(with: Data(squall.console.output.utf8))
        let report = try #require(document as? [String: Any])
        let checks = try #require(report["checks"] as? [[String: Any]])
        #expect(report["verdict"] as? String == "passed" && report["seed"] as? Int == 7)
        #expect(checks.count == 2 && checks[0]["theory"] as? Double == 1.0 / 3)
    }

    @Test("Models beyond the quick set are simulated when they are asked for")
    func choice() throws {
        let squall = try PlayedTool(commands: [.selfTest()])
        let quick = SelfTestCase.all.filter { !$0.isThorough }
        #expect(quick.count < SelfTestCase.all.count)
        #expect(squall.run("selftest", "--filter", "M/M/7") == .usage)
        #expect(squall.console.errors.contains("no model's name contains 'M/M/7'"))
        #expect(Set(SelfTestCase.all.map(\.model)).count == SelfTestCase.all.count)
    }

    @Test("A point of one's own takes the place of the built-in models, each point once")
    func points() throws {
        let squall = try PlayedTool(commands: [
            .selfTest { workers, load in
                (workers, load) == (1, 0.5)
                    ? SelfTestCase.all.filter { $0.model.hasPrefix("M/M/1/1") } : []
            }
        ])
        let words = ["selftest", "--points", "1,0.5", "--points", "1,0.50", "--points=2,0.5"]
        #expect(squall.run(words) == .passed)
        #expect(squall.console.output.hasPrefix("PASSED  2 checks · seed 1"))
        #expect(
            SelfTestCase.point(workers: 1, load: 0.3).map(\.model)
                == ["M/M/1 ρ=0.3", "run, M/M/1 ρ=0.3", "run, M/D/1 ρ=0.3"])
        #expect(
            SelfTestCase.point(workers: 3, load: 0.3).map(\.model)
                == ["M/M/3 ρ=0.3", "run, M/M/3 ρ=0.3"])
    }

    @Test(
        "An invalid point of the self-test is refused with what one looks like",
        arguments: ["", "4", "4;0.8", "0,0.5", "4,1", "4,0.999", "4,nan", "x,0.5", "1,0.5,2"])
    func badPoints(point: String) throws {
        let squall = try PlayedTool(commands: [.selfTest()])
        #expect(squall.run("selftest", "--points=\(point)") == .usage)
        let errors = squall.console.errors
        #expect(point.isEmpty || errors.contains("such as 4,0.8, got '\(point)'"))
        #expect(errors.contains("--points"))
    }
}
