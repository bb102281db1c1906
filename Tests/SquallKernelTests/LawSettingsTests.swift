import SquallFormat
import Testing

@testable import SquallKernel

@Suite("Laws as a profile writes them")
struct LawSettingsTests {
    private static func read(_ text: String) throws -> (law: Distribution, problems: [String]) {
        var problems = SettingProblems()
        let format = SettingFormat<Distribution>.distribution(0...Span.hour)
        let law = format.value(of: try JSONParser.parse(Array(text.utf8)), &problems)
        return (law, problems.all.map(\.message))
    }

    private static let laws: [(String, Distribution)] = [
        (#""5s""#, .constant(nanoseconds: 5 * Span.second)),
        (#"{"constant": "5s"}"#, .constant(nanoseconds: 5 * Span.second)),
        (#"{"uniform": ["0s", "5s"]}"#, .uniform(low: 0, high: 5 * Span.second)),
        (
            #"{"pareto": {"scale": "1s", "shape": 2, "max": "9s"}}"#,
            .pareto(scale: Span.second, shape: 2, maximum: 9 * Span.second)
        ),
        (#"{"exponential": {"mean": "5s"}}"#, .exponential(mean: 5 * Span.second)),
        (
            #"{"exponential": {"mean": "5s", "min": "1s", "max": "6s"}}"#,
            .exponential(
                mean: 5 * Span.second, minimum: Span.second, maximum: 6 * Span.second)
        ),
        (
            #"{"logNormal": {"median": "5s", "sigma": 0.5, "max": "6s"}}"#,
            .logNormal(median: 5 * Span.second, sigma: 0.5, maximum: 6 * Span.second)
        ),
        (
            #"{"erlang": {"stages": 3, "mean": "5s"}}"#,
            .erlang(stages: 3, mean: 5 * Span.second)
        ),
        (
            #"{"hyperexponential": {"mean": "5s", "squaredVariation": 4}}"#,
            .hyperexponential(mean: 5 * Span.second, squaredVariation: 4)
        ),
        (
            #"{"empirical": [["5s", 3], ["1s", 1]]}"#,
            .empirical(EmpiricalDistribution([(5 * Span.second, 3), (Span.second, 1)]))
        ),
    ]

    @Test("Each law is read with its parameters, and what is not said has its default")
    func laws() throws {
        for (text, law) in Self.laws {
            let read = try Self.read(text)
            #expect(read.law == law && read.problems.isEmpty, "\(read)")
        }
    }

    @Test(
        "A parameter that must not exceed another one and does is told of, one that equals it not",
        arguments: [
            (#"{"exponential": {"mean": "5s", "min": "6s"}}"#, "min"),
            (#"{"exponential": {"mean": "5s", "min": "5s", "max": "5s"}}"#, nil),
            (#"{"exponential": {"mean": "5s", "max": "4s"}}"#, "mean"),
            (#"{"logNormal": {"median": "5s", "sigma": 1, "max": "4s"}}"#, "median"),
            (#"{"logNormal": {"median": "5s", "sigma": 1, "max": "5s"}}"#, nil),
            (#"{"pareto": {"scale": "5s", "shape": 2, "max": "4s"}}"#, "scale"),
            (#"{"pareto": {"scale": "5s", "shape": 2, "max": "5s"}}"#, nil),
        ] as [(String, String?)])
    func contradictions(text: String, parameter: String?) throws {
        let problems = try Self.read(text).problems
        #expect(problems.count == (parameter == nil ? 0 : 1), "\(problems)")
        if let parameter {
            #expect(problems.first?.contains("\(parameter) must be at most") == true, "\(problems)")
        }
    }

    @Test(
        "A parameter is read at both ends of its range, and refused beyond them",
        arguments: [
            (#""erlang": {"mean": "5s", "stages": ?}"#, "1", "100", "0", "101"),
            (
                #""hyperexponential": {"mean": "5s", "squaredVariation": ?}"#, "1", "10000",
                "0.99", "10001"
            ),
            (#""logNormal": {"median": "5s", "sigma": ?}"#, "0", "5", "-0.1", "5.1"),
            (#""pareto": {"scale": "5s", "shape": ?}"#, "0.1", "100", "0.09", "100.1"),
            (#""empirical": [["5s", ?]]"#, "1", "1000000000", "0", "1000000001"),
            (#""exponential": {"mean": ?}"#, #""0s""#, #""1h""#, #""-1ns""#, #""3600000000001ns""#),
        ] as [(String, String, String, String, String)])
    func ranges(law: String, low: String, high: String, below: String, above: String) throws {
        func problems(_ value: String) throws -> Int {
            try Self.read("{\(law.replacing("?", with: value))}").problems.count
        }
        #expect(try problems(low) == 0 && problems(high) == 0)
        #expect(try problems(below) == 1 && problems(above) == 1)
    }

    @Test("Of a parameter that cannot be read nothing more is said")
    func unreadable() throws {
        #expect(try Self.read(#"{"exponential": {"mean": "x", "min": "6s"}}"#).problems.count == 1)
    }
}
