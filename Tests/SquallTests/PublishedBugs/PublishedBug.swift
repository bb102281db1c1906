import Foundation
import Squall
import Testing

/// A published bug of refresh code, as the article has it, and the drill that finds it.
struct PublishedBug: Sendable {
    /// Where it was published: `owner/name #1`.
    let link: String
    let address: String
    let foundBy: Drill

    /// The rows of the article's tables whose last cell is the name of a drill.
    static let all: [PublishedBug] = {
        let article = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Squall/Squall.docc/WouldItHaveFoundMine.md")
        let text = (try? String(contentsOf: article.standardizedFileURL, encoding: .utf8)) ?? ""
        let row = /\| \[(?<link>[^\]]+ #\d+)\]\((?<address>[^)]+)\) \| [^|]+ \| (?<drill>[^|]+) \|/
        return text.matches(of: row).compactMap { match in
            Drill.all.first { $0.name == match.drill }.map {
                PublishedBug(
                    link: String(match.link), address: String(match.address), foundBy: $0)
            }
        }
    }()

    static func named(_ link: String) throws -> PublishedBug {
        try #require(all.first { $0.link == link })
    }
}
