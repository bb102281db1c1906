import SquallFormat
import SquallLab
import SquallReport
import Testing

@testable import SquallLive

@Suite("Driven runs")
struct ServerDriverTests {
    @Test(
        "A driven run before the profile's own backend measures exactly what the simulation does",
        arguments: ["asBuilt", "naive"])
    func agrees(design: String) throws {
        let settings = ["populations[0].design=\(design)"]
        let simulated = try DrivenTrial(settings).simulated().summary
        let driven = try DrivenTrial(settings).driven().summary
        #expect(driven.verdict == .passed && simulated.verdict == .passed)
        for metric in [
            Metric.requests, .steps, .refreshes, .expiredResponses, .requestDuration, .stepDuration,
            .requestFailed, .connectionWait,
        ] {
            let (real, model) = (driven.total(of: metric), simulated.total(of: metric))
            #expect(real?.count == model?.count, "\(metric.name)")
            #expect(real?.latency == model?.latency, "\(metric.name)")
        }
        #expect(driven.populations.map(\.expiries) == simulated.populations.map(\.expiries))
        #expect(
            driven.populations.map(\.redundantRefreshes)
                == simulated.populations.map(\.redundantRefreshes))
        #expect((driven.populations[0].redundantRefreshes > 0) == (design == "naive"))
        #expect(driven.populations[0].failedSteps == 0 && driven.populations[0].expiries > 20)
    }

    @Test("The page of a driven run has every whole second, and its sums are the run's")
    func page() throws {
        var tally = GeneratorTally()
        tally.keepSeconds()
        tally.begin(at: 0, processor: 0)
        for second in [0, 0, 1, 4] as [Int64] {
            let now = second * 1_000_000_000
            tally.sent(isRefresh: false, lateBy: 2_000_000, at: now)
            tally.ended(after: 30_000_000, isFailure: second == 1, at: now)
        }
        let now = tally.progress(at: 5_000_000_000, open: 3)
        let seconds = try #require(tally.seconds)
        #expect(seconds.map(\.number) == [0, 1, 2, 3, 4])
        #expect(seconds.map(\.sent) == [2, 1, 0, 0, 1])
        #expect(seconds.map(\.failures) == [0, 1, 0, 0, 0] && now.failures == 1)
        let page = LivePage.html(
            of: DrivePage.document((target: "http://a.test", now: now, seconds: seconds)))
        for word in ["http://a.test", "p95", "refreshes", "lateness", #"http-equiv="refresh""#] {
            #expect(page.contains(word), "\(word)")
        }
    }

    @Test(
        "Metrics of a simulated server are absent in a driven run, and their thresholds not judged")
    func absent() throws {
        let trial = try DrivenTrial([
            #"thresholds={"server_wait":["p(95)<1s"],"hangs":["count==0"]}"#
        ])
        let result = try trial.driven()
        #expect(result.summary.server == nil)
        #expect(!result.summary.metrics.contains { $0.name.hasPrefix("server_") })
        #expect(result.summary.thresholds.map(\.metric) == ["hangs"])
        #expect(result.summary.generator?.notJudged == ["server_wait p(95)<1s"])
        let names = result.timeseries.columns.map(\.name)
        #expect(names.contains("requests") && !names.contains { $0.hasPrefix("server_") })
        #expect(!names.contains("workers_busy"))
        let csv = try #require(result.output.files.first { $0.name == "timeseries.csv" }).text
        #expect(try TimeTable(csv: csv).csv == csv)
        #expect(try DrivenTrial().simulated().summary.server != nil)
    }

    @Test("Lateness of the generator is in every duration, beside it, and no verdict on the server")
    func late() throws {
        let trial = try DrivenTrial()
        trial.wire.oversleeps = 60_000_000
        let summary = try trial.driven().summary
        let generator = try #require(summary.generator)
        #expect(generator.latenessNanoseconds.p99 >= 40_000_000)
        #expect(summary.verdict == .failed)
        #expect(summary.findings.first?.label == "generator.limited")
        let late = try #require(summary.total(of: .requestDuration)?.latency)
        let model = try DrivenTrial().simulated().summary
        let punctual = try #require(model.total(of: .requestDuration)?.latency)
        #expect(late.p99 >= punctual.p99 + 40_000_000 && late.minimum >= punctual.minimum)
    }

    @Test("A driven run sends no more requests than allowed, and the verdict says that they waited")
    func rate() throws {
        let summary = try DrivenTrial(rate: 5).driven().summary
        let generator = try #require(summary.generator)
        #expect(generator.busiestSecond <= 6 && generator.throttled > 50)
        #expect(summary.verdict == .failed)
        #expect(summary.findings[0].detail.contains("waited for the limit of 5 requests/s"))
    }

    @Test("A driven run that is stopped sends no more, gives up what is under way, and reports")
    func stops() throws {
        let trial = try DrivenTrial()
        let begun = Box(0)
        let summary = try trial.driven {
            begun.value = trial.wire.begun
            return $0.virtualNanoseconds >= 20_050_000_000 ? .stop : .continue
        }.summary
        #expect(summary.verdict == .partial)
        #expect(summary.virtualNanoseconds < 20_200_000_000)
        #expect(trial.wire.begun <= begun.value + 12)
        #expect(summary.total(of: .requests)?.count ?? 0 > 20)
    }

    @Test("An unreachable server ends a driven run at once")
    func unreachable() throws {
        let trial = try DrivenTrial()
        trial.wire.isDown = true
        let summary = try trial.driven().summary
        #expect(trial.driver.unreachable?.reason == "refused")
        #expect(summary.virtualNanoseconds < 6_000_000_000)
    }

    @Test("A service that wants OAuth's forms and names of its own gets them")
    func forms() throws {
        let summary = try DrivenTrial([
            #"backend.service.logIn={"body":"form","userField":"login","passwordField":"pin","#
                + #""fields":["grant_type=password"]}"#,
            #"backend.service.refresh={"token":{"form":"refresh_token"},"#
                + #""fields":["grant_type=refresh_token"]}"#,
        ]).driven().summary
        #expect(summary.populations[0].failedSteps == 0 && summary.populations[0].expiries > 20)
        #expect(summary.populations[0].refreshesPerExpiry == 1)
    }

    @Test("Users sign in with the accounts that are given")
    func accounts() throws {
        let wrong = (0..<12).map { UserAccount(email: "who\($0)@else.test", password: "x") }
        let summary = try DrivenTrial(accounts: wrong).driven().summary
        #expect(summary.steps.allSatisfy { $0.journey == "sign-in" || $0.count == 0 })
        #expect(summary.populations[0].failedSteps > 0)
    }
}

private final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
