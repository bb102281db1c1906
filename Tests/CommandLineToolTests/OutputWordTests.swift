import Foundation
import TestSupport
import Testing

@Suite("Words of the real output")
struct OutputWordTests {
    /// Command lines in one folder, in which `squall new p.json` has been run.
    struct Job: CustomTestStringConvertible, Sendable {
        let lines: [String]

        init(_ lines: String...) { self.lines = lines }

        var testDescription: String { lines.last.map { String($0.prefix { $0 != " " }) } ?? "" }
    }

    private static let jobs = [
        Job(
            "run p.json --users 8 --for 7m --full --junit j.xml --markdown m.md --strict",
            "run p.json --users 4 --for 20s --threshold 'hangs: count>=1' --out failed"),
        Job("run quick --users 12 --for 3m --full"),
        Job("run token-expiry-storm --users 8 --for 9m --full"),
        Job("run p.json --users 4 --for 20s --replications 3"),
        Job("drill scrolly --drill expiredToken,outage --schedules 2 --page d.html --junit d.xml"),
        Job("drill thisBookThatBook --drill nextPerson --server strict --schedules 2"),
        Job("explore outfit-gap --schedules 20", "explore scrolly-hang --schedules 4"),
        Job("capacity p.json --users 4 --for 20s --to 8 --max-replications 2"),
        Job("compare p.json --with populations[0].users=6 --for 20s --replications 2"),
        Job("sweep p.json --vary users=4,6 --for 20s --replications 2"),
        Job(
            "run p.json --users 8 --for 2m --out kept/1 --log a.log",
            "run p.json --users 9 --for 2m --out kept/2", "fit a.log --page f.html --no-check",
            "trend kept/1 kept/2 --page t.html"),
        Job("validate p.json --estimate", "profiles", "help words", "help profile"),
        Job(
            "apps p.json", "apps scrolly --full --errors", "new q.json",
            "plan --slurm --shards 2 -- run p.json --replications 4",
            "plan --parallel -- run p.json --replications 4",
            "plan --kubernetes -- run p.json --replications 4",
            "run p.json --users 4 --for 20s --replications 4 --shard 1/2",
            "run p.json --users 4 --for 20s --replications 4 --shard 2/2",
            "merge Results/p/run-part-1-of-2 Results/p/run-part-2-of-2",
            "run p.json --users 4 --for 20s", "report Results/p/latest", "completion fish"),
        Job(
            "serve p.json --port 0 --for 1s --expire-every 1s --session s.jsonl --junit s.xml",
            "replay s.jsonl", "drive p.json --target http://127.0.0.1:1 --for 5s --users 2",
            "probe http://127.0.0.1:1 --profile p.json"),
        Job(
            "serve", "serve none", "serve p.json --bind localhost", "serve p.json --drill none",
            "serve p.json --upstream http://127.0.0.1:1", "serve --upstream ftp://x",
            "serve p.json --server lenient", "serve p.json --speed 0", "drive p.json",
            "drive p.json --target http://example.com", "drive p.json --target localhost",
            "drive p.json --target http://127.0.0.1:1 --users 5000", "probe",
            "probe http://example.com", "apps none", "report p.json", "trend p.json",
            "replay p.json", "plan --slurm -- drill scrolly", "plan --slurm -- run p.json",
            "new p.json", "new --swift p.json", "completion tcsh", "schema none"),
        Job(
            "run", "run q.json", "run quick --users 0", "run quick --for 1", "run quick --set a=1",
            "run quick --set duration=1x", "run quick --threshold steps", "ran quick",
            "run quick --threshold 'hangs: rate<x'", "run quick --population none-has-this",
            "run p.json p.json --replications 2", "drill nothing",
            "drill scrolly --drill none", "explore p.json --invariant S99",
            "explore quick --strategy none", "capacity p.json --vary nothing", "fit none.log",
            "compare p.json", "sweep p.json --vary users", "trend none", "replay none",
            "help nothing", "openapi 1999", "check -", "plan run quick", "merge none"),
    ]

    @Test("No text, page or report of a job has a word of the stop list", arguments: jobs)
    func outputs(job: Job) throws {
        let squall = try PlayedTool()
        for line in ["new p.json"] + job.lines { squall.play(line.words) }
        let written = try squall.files(in: "").filter {
            ["html", "md", "txt", "xml"].contains(($0 as NSString).pathExtension)
        }
        let texts = [("output", squall.console.output), ("errors", squall.console.errors)]
        for (name, text) in try texts + written.map({ ($0, try squall.read($0).withoutMarkup) }) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for finding in try StopList.output.findings(in: lines.map(String.init)) {
                Issue.record("\(name):\(finding.line) says \(finding.text)")
            }
        }
    }
}

extension String {
    /// The words of a command line, in which a word in quotes may have spaces.
    fileprivate var words: [String] {
        matches(of: /'([^']*)'|[^ ]+/).map { String($0.output.1 ?? $0.output.0) }
    }

    /// What a page shows: without its tags, styles and code.
    fileprivate var withoutMarkup: String {
        replacingOccurrences(
            of: "(?s)<(style|script)[^>]*>.*?</\\1>|<[^>]*>", with: " ", options: .regularExpression
        )
    }
}
