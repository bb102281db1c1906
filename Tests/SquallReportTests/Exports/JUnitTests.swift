import SquallReport
import TestSupport
import Testing

@Suite("JUnit report")
struct JUnitTests {
    @Test(
        "The JUnit report has one suite, with a case for each threshold and for the end of the run")
    func suite() throws {
        let document = try XMLTree([RunSummary.sample()].junit())
        let suites = document.elements("testsuite")
        // Six thresholds, two self-checks, one finding, one end.
        #expect(suites.map { $0.attributes["name"] } == ["evening-storm"])
        #expect(document.elements("testcase").count == 10)
        #expect(suites.first?.attributes["tests"] == "10")
        #expect(suites.first?.attributes["time"] == nil)
        let properties = document.elements("property").map(\.attributes)
        #expect(properties.last == ["name": "virtualSeconds", "value": "600.000"])
    }

    @Test("A failure says what was observed, and its body how to run it again")
    func failures() throws {
        let document = try XMLTree([RunSummary.sample()].junit())
        let failures = document.elements("failure")
        let messages = failures.compactMap { $0.attributes["message"] }
        #expect("\(failures.count)" == document.elements("testsuite").first?.attributes["failures"])
        #expect(messages.contains("hangs is 22, expected count==0 (seed 42)"))
        #expect(messages.contains("Little's law: L = 10.2, λW = 10.4"))
        #expect(
            failures.allSatisfy {
                $0.text.contains("repeat: squall run Profiles/evening-storm.json --seed 42")
            })
    }

    @Test("A run that was interrupted fails, even when all its expectations hold")
    func partial() throws {
        let (whole, partial) = (RunSummary.made(), RunSummary.made(isPartial: true))
        #expect(try XMLTree([whole].junit()).elements("failure").isEmpty)
        #expect(try XMLTree([partial].junit()).elements("failure").count == 1)
    }
}
