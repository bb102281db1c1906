import Foundation
import Testing

@Suite("The table of conformance")
struct ConformanceTests {
    @Test(
        "Every suite that the table of conformance names exists",
        arguments: ConformanceTable.namedSuites)
    func suites(name: String) {
        #expect(
            ConformanceTable.declaredSuites.contains(name),
            "Conformance.md names \"\(name)\"; use a suite's name")
    }

    @Test("Every behaviour listed as the same names the suite that shows it")
    func rows() {
        let rows = ConformanceTable.rows(of: "The same")
        #expect(rows.count >= 30)
        for row in rows {
            #expect(row.last?.contains("\"") == true, "no suite shows: \(row[0])")
        }
    }

    @Test(
        "Every difference and every omission says why",
        arguments: [("Different on purpose", 3), ("Not offered", 2)])
    func reasons(section: String, columns: Int) {
        let rows = ConformanceTable.rows(of: section)
        #expect(!rows.isEmpty)
        for row in rows { #expect(row.count == columns && !row.contains(""), "\(row)") }
    }
}

/// What `Sources/SquallClient/Conformance.md` says.
enum ConformanceTable {
    static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let text = read("Sources/SquallClient/Conformance.md")

    /// The cells of each row below a heading, without the table's head.
    static func rows(of section: String) -> [[String]] {
        let start = text.firstRange(of: "## \(section)\n")?.upperBound ?? text.endIndex
        let body = text[start...]
        let end = body.firstRange(of: "\n## ")?.lowerBound ?? body.endIndex
        let lines = body[..<end].split(separator: "\n").filter { $0.hasPrefix("|") }
        return lines.dropFirst(2).map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The names in quotation marks in the tables' rows, each once.
    static let namedSuites: [String] = {
        let cells = (rows(of: "The same") + rows(of: "Different on purpose")).flatMap { $0 }
        let names = cells.flatMap { cell in cell.matches(of: /"([^"]+)"/).map { String($0.1) } }
        return Set(names).sorted()
    }()

    static let declaredSuites: Set<String> = Set(
        ["SquallClientTests", "SquallHTTPTests"].flatMap { folder in
            let path = package.appending(path: "Tests/\(folder)").path()
            let below = FileManager.default.enumerator(atPath: path)?.allObjects ?? []
            return below.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
                .flatMap { file in
                    read("Tests/\(folder)/\(file)").matches(of: /@Suite\("([^"]+)"\)/)
                        .map { String($0.1) }
                }
        })

    private static func read(_ path: String) -> String {
        let data = try? Data(contentsOf: package.appending(path: path))
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
