/// Guesses what a misspelt name was meant to be.
public enum Spelling {
    /// The longest word, in bytes, that is compared with the known names.
    private static let longest = 200

    /// The known name closest to `word`, when at most two letters differ, or one where either has
    /// no more than three: another name of three letters is no misspelling.
    ///
    /// Case does not matter. Of equally close names the first in the list wins; where none is
    /// close, the only one that begins with the word.
    public static func nearest(to word: String, among names: [String]) -> String? {
        guard word.utf8.count <= longest else { return nil }
        let candidates = names.map { name in
            (name: name, distance: distance(Array(word.lowercased()), Array(name.lowercased())))
        }
        guard let best = candidates.min(by: { $0.distance < $1.distance }),
            best.distance <= (min(word.count, best.name.count) > 3 ? 2 : 1),
            best.distance < best.name.count
        else { return only(beginningWith: word, among: names) }
        return best.name
    }

    private static func only(beginningWith word: String, among names: [String]) -> String? {
        guard word.count > 3 else { return nil }
        let found = names.filter { $0.lowercased().hasPrefix(word.lowercased()) }
        return found.count == 1 ? found[0] : nil
    }

    /// ` Did you mean 'name'?` with its leading space, or an empty text when no name is close.
    public static func hint(for word: String, among names: [String]) -> String {
        nearest(to: word, among: names).map { " Did you mean '\($0)'?" } ?? ""
    }

    /// ` Known: a, b` with its leading space; of many names the first, and how many more there are.
    public static func known(_ names: [String]) -> String {
        " Known: \(names.listed(atMost: namedAtMost))"
    }

    private static let namedAtMost = 24

    /// The number of letters to insert, remove, replace or swap with their neighbour.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let same = left[row] == right[column]
                var best = min(
                    last[column] + (same ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}

extension [String] {
    /// The first texts with commas, and how many more there are: `a, b and 3 more`.
    public func listed(atMost count: Int) -> String {
        let more = self.count - count
        return prefix(count).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
