import Foundation
import Testing

import SquallApps

/// Holds the apps' pages against the tests they name.
@Suite("The apps' pages")
struct AppPageTests {
    @Test("Each hazard that an app is known for has one row", arguments: AppPage.all)
    func complete(page: AppPage) throws {
        let known = try page.rows().map(\.id).filter { $0 != "–" }
        #expect(known == page.hazards)
    }

    @Test("A row names tests that there are, or says why there is none", arguments: AppPage.all)
    func shown(page: AppPage) throws {
        for row in try page.rows() {
            let isExcused = row.evidence.hasPrefix("not shown: ")
            #expect(row.tests.isEmpty == isExcused, "\(page) \(row.id): \(row.evidence)")
            for test in row.tests {
                #expect(try TestSources.holds(test), "\(page) \(row.id): no \(test)")
            }
        }
    }

    @Test("Of the hazards known at least thirty are reproduced by a test")
    func reproduced() throws {
        let rows = try AppPage.all.flatMap { try $0.rows() }
        #expect(rows.count { $0.id != "–" && !$0.tests.isEmpty } >= 30)
    }

    @Test("The page on journeys names every journey that there is, and no other")
    func journeys() throws {
        let text = try TestSources.text(of: "Sources/SquallCases/Apps/Journeys.md")
        let named = text.matches(of: /`([a-zA-Z]+\.[a-zA-Z]+)`/).map { String($0.1) }
        let known = AppRegistry.all.flatMap { app in app.journeys.map { "\(app.name).\($0.name)" }
        }
        #expect(Set(known).subtracting(named).sorted() == [])
        let apps = AppRegistry.all.map { $0.name + "." }
        let claimed = named.filter { name in apps.contains { name.hasPrefix($0) } }
        #expect(Set(claimed).subtracting(known).sorted() == [])
    }

    @Test("The page on journeys has the rows J1 to J17, in order")
    func catalogue() throws {
        let text = try TestSources.text(of: "Sources/SquallCases/Apps/Journeys.md")
        let rows = text.matches(of: /\n\| J(\d+) \|/).compactMap { Int($0.1) }
        #expect(rows == Array(1...17))
    }

    @Test("A test's name without a suite is of the page's suite, one with a dot of the one before")
    func names() throws {
        let row = try #require(
            HazardRow("| TB-1 | h | `one`, `Other.two`, `.three` |", suite: "Own"))
        #expect(
            row.tests == [("Own", "one"), ("Other", "two"), ("Other", "three")].map(TestName.init))
        #expect(HazardRow("| who refreshes | nobody |", suite: "Own") == nil)
        #expect(try !TestSources.holds(TestName("AppPageTests", "nothing")))
    }
}

/// An app's page, and the hazards its app is known for.
struct AppPage: Sendable, CustomTestStringConvertible {
    let path: String
    let hazards: [String]

    static let all = [
        AppPage("Scrolly/Scrolly.md", "SC-R", count: 8),
        AppPage("ThisBookThatBook/ThisBookThatBook.md", "TB-", count: 19),
        AppPage("ShareD/ShareD.md", "SD-", count: 11),
        AppPage("OOTD/OOTD.md", "OO-", count: 9),
    ]

    init(_ path: String, _ prefix: String, count: Int) {
        self.path = path
        hazards = (1...count).map { "\(prefix)\($0)" }
    }

    var testDescription: String { path }

    /// The rows of the table of hazards.
    func rows() throws -> [HazardRow] {
        let text = try TestSources.text(of: "Sources/SquallCases/Apps/" + path)
        let table = text.components(separatedBy: "\n## ").first { $0.hasPrefix("Hazards\n") } ?? ""
        let suite = table.firstMatch(of: /Tests without another name are in `(\w+)`/)?.1 ?? ""
        return table.split(separator: "\n").compactMap { HazardRow($0, suite: String(suite)) }
    }
}

/// A row of a table of hazards.
struct HazardRow: Equatable {
    let id: String
    /// What the last cell says.
    let evidence: String
    let tests: [TestName]

    /// Reads a line, with the suite of tests that name none; `nil` when it is no such row.
    init?(_ line: some StringProtocol, suite: String) {
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 3, let evidence = cells.last,
            cells[0].wholeMatch(of: /–|[A-Z]{2}-R?\d+/) != nil
        else { return nil }
        id = cells[0]
        self.evidence = evidence
        var suite = suite
        tests = evidence.matches(of: /`(\w*)(\.?)(\w*)`/).map { match in
            guard !match.2.isEmpty else { return TestName(suite, String(match.1)) }
            if !match.1.isEmpty { suite = String(match.1) }
            return TestName(suite, String(match.3))
        }
    }
}

/// A test by its suite's type and its function.
struct TestName: Hashable, CustomStringConvertible {
    let suite, function: String

    init(_ suite: String, _ function: String) {
        self.suite = suite
        self.function = function
    }

    var description: String { "\(suite).\(function)" }
}

/// The text of the package's tests.
private enum TestSources {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(of path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    /// The suites of the package, each from its type's name on.
    private static let suites = Result {
        let below = FileManager.default.enumerator(atPath: root.appending(path: "Tests").path())
        let paths = (below?.allObjects ?? []).compactMap { $0 as? String }
        return try paths.filter { $0.hasSuffix("Tests.swift") }.flatMap { path in
            try text(of: "Tests/" + path).components(separatedBy: "\nstruct ").dropFirst()
        }
    }

    /// True if a suite of a type's name has a function of a name.
    static func holds(_ test: TestName) throws -> Bool {
        try suites.get().contains {
            $0.hasPrefix(test.suite + " ") && $0.contains("func \(test.function)(")
        }
    }
}
