import Foundation

/// The tests of the copy: which of them reach a mutant, and whether one notices it.
final class Trials {
    /// What came of a mutant.
    enum Outcome: String, CaseIterable {
        case noticedByNearest = "noticed by the nearest"
        case noticedByRest = "noticed by the rest"
        case survived
        case doesNotBuild = "does not build"
    }

    /// How far a mutant is taken.
    enum Stages: String, CaseIterable { case nearest, all }

    /// A suite, or the reference runs, as it is without any mutant.
    private struct Check {
        let name: String
        let seconds: Double
        let reached: Data
    }

    private static let references = "references"
    private static let bundle = "/SquallPackageTests.xctest"
    private let bin: String
    private var checks: [String: [Check]] = [:]
    private let suites: Set<String>

    init(flags: [String]) throws {
        let show = Run(["swift", "build", "--show-bin-path"] + flags, seconds: 300)
        guard show.passed(), let path = show.log.split(separator: "\n").last else {
            throw Wrong("swift build --show-bin-path fails: \(Run.logPath)")
        }
        bin = String(path)
        let list = Run(
            [bin + Self.bundle, "--testing-library", "swift-testing", "--list-tests"], seconds: 60)
        guard list.passed() else { throw Wrong("no test can be listed: \(Run.logPath)") }
        suites = Set(
            list.log.split(separator: "\n").compactMap {
                $0.split(separator: "/").first.map(String.init)
            })
    }

    /// What comes of a mutant, and what was run for it.
    func outcome(of mutant: Mutant, _ number: Int, _ stages: Stages) throws -> (Outcome, String) {
        let nearest = mutant.nearestTests
        var ran: [String] = []
        func isNoticed(by target: String) throws -> Bool {
            let reaching = try checks(of: target).filter { $0.reached[number] != 0 }
            guard !reaching.isEmpty else { return false }
            ran.append(target)
            let seconds = Int(reaching.map(\.seconds).reduce(0, +) * 5) + 30
            return !run(reaching.map(\.name), ["SQUALL_MUTANT": "\(number)"], seconds: seconds)
        }
        if Self.targets.contains(nearest), try isNoticed(by: nearest) {
            return (.noticedByNearest, nearest)
        }
        if stages == .all {
            let rest = try (Self.targets + [Self.references]).filter { $0 != nearest }.map { name in
                (name, try checks(of: name).map(\.seconds).reduce(0, +))
            }
            for (name, _) in rest.sorted(by: { $0.1 < $1.1 }) where try isNoticed(by: name) {
                return (.noticedByRest, name)
            }
        }
        return (.survived, ran.isEmpty ? "nothing reaches it" : ran.joined(separator: ", "))
    }

    /// Every test target but the one that reads the sources themselves, which differ.
    private static let targets = ["Tests", "Sources/Examples"].flatMap { folder in
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { $0.hasSuffix("Tests") && $0 != "TidyTests" }
    }.sorted()

    /// Runs each suite of a target once without any mutant: what fails anyway notices nothing.
    private func checks(of target: String) throws -> [Check] {
        if let known = checks[target] { return known }
        let path = FileManager.default.currentDirectoryPath + "/\(Workshop.folder)/reached"
        let names = suites.filter { $0.hasPrefix(target + ".") }.sorted()
        let found = try (target == Self.references ? [target] : names).compactMap {
            (name) -> Check? in
            try Data(count: Schemata.reachedSize).write(to: URL(filePath: path))
            let start = ContinuousClock.now
            guard run([name], ["SQUALL_MUTANTS_REACHED": path], seconds: 1_800) else {
                say("\(name) fails without any change, and is left out: \(Run.logPath)")
                return nil
            }
            return Check(
                name: name, seconds: (ContinuousClock.now - start) / .seconds(1),
                reached: try Data(contentsOf: URL(filePath: path)))
        }
        checks[target] = found
        say("\(target): \(found.count) suites, \(Int(found.map(\.seconds).reduce(0, +))) s")
        return found
    }

    private func run(
        _ names: [String], _ environment: [String: String], seconds: Int
    ) -> Bool {
        // A crash is noticed; nobody waits for its backtrace.
        let environment = environment.merging([
            "SQUALL": bin + "/squall", "SWIFT_BACKTRACE": "enable=no",
        ]) { one, _ in one }
        guard names == [Self.references] else {
            let filters = names.flatMap { ["--filter", "^\($0)(/|$)"] }
            let test = [bin + Self.bundle, "--testing-library", "swift-testing"]
            return Run(test + filters, environment, seconds: seconds).passed()
        }
        let compare =
            #"out=$(mktemp -d); .ci/references "$out" && diff -r Results/reference "$out""#
        return Run(["bash", "-c", compare], environment, seconds: seconds).passed()
    }
}
