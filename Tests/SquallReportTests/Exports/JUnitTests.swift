import SquallReport
import TestSupport
import Testing

@Suite("JUnit report")
struct JUnitTests {
    @Test(
        "A run's JUnit report has a suite for its thresholds and its end, and one for self-checks")
    func suite() throws {
        let document = try XMLTree([RunSummary.sample()].junit())
        let suites = document.elements("testsuite")
        // Six thresholds, one finding, one end; two self-checks.
        #expect(
            suites.map { $0.attributes["name"] } == ["evening-storm", "evening-storm self-checks"])
        #expect(suites.map { $0.attributes["tests"] } == ["8", "2"])
        #expect(suites.first?.attributes["time"] == nil)
        let properties = document.elements("property").map(\.attributes)
        #expect(properties.last == ["name": "virtualSeconds", "value": "600.000"])
    }

    @Test("A failure says what was observed, and its body how to run it again")
    func failures() throws {
        let document = try XMLTree([RunSummary.sample()].junit())
        let failures = document.elements("failure")
        let messages = failures.compactMap { $0.attributes["message"] }
        let counts = document.elements("testsuite").compactMap { $0.attributes["failures"] }
        #expect(counts.compactMap { Int($0) }.reduce(0, +) == failures.count)
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
