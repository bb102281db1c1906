import SquallFormat
public import SquallLab

/// Makes a failing profile as small as it can be while it still fails.
///
/// It takes members and elements away, whole branches first, and shortens lists by halves, as long
/// as what is left is valid and fails in the same way.
public struct ProfileShrinking {
    private let vocabulary: ProfileVocabulary
    private let stillFails: (DrawnProfile) -> Bool
    private var trialsLeft: Int

    /// A search that asks at most so often whether a smaller profile still fails.
    public init(
        _ vocabulary: ProfileVocabulary, trialsMax: Int = 300,
        stillFails: @escaping (DrawnProfile) -> Bool
    ) {
        self.vocabulary = vocabulary
        self.stillFails = stillFails
        trialsLeft = trialsMax
    }

    /// The smallest failing profile that was found.
    public mutating func smallest(of drawn: DrawnProfile) -> DrawnProfile {
        var smallest = drawn
        var before: DrawnProfile?
        // What was kept in one round may go in the next, when what needed it is gone.
        while smallest != before, trialsLeft > 0 {
            before = smallest
            for path in smallest.document.paths { halve(path, of: &smallest) }
            for path in smallest.document.paths {
                attempt(smallest.document.changing(path[...], to: nil), &smallest)
            }
        }
        smallest.files = smallest.files.filter { smallest.document.line.contains($0.key) }
        return smallest
    }

    /// Takes half of a long list away as often as what is left still fails.
    private mutating func halve(_ path: [PathStep], of smallest: inout DrawnProfile) {
        while case .array(let elements)? = smallest.document[path], elements.count > 3 {
            let middle = elements.count / 2
            let isSmaller = [elements[middle...], elements[..<middle]].contains { half in
                attempt(
                    smallest.document.changing(path[...], to: .array(Array(half))), &smallest)
            }
            guard isSmaller else { return }
        }
    }

    /// Puts a smaller document in the place of the smallest one, where it is valid and still fails.
    @discardableResult
    private mutating func attempt(_ document: JSON, _ smallest: inout DrawnProfile) -> Bool {
        let candidate = DrawnProfile(document: document, files: smallest.files)
        guard trialsLeft > 0, candidate != smallest, (try? candidate.checked(vocabulary)) != nil
        else { return false }
        trialsLeft -= 1
        guard stillFails(candidate) else { return false }
        smallest = candidate
        return true
    }
}

extension JSON {
    /// The ways to all members and elements, outer ones first.
    fileprivate var paths: [[PathStep]] {
        var found: [[PathStep]] = []
        var level: [[PathStep]] = [[]]
        while !level.isEmpty {
            let next = level.flatMap { path in steps(at: path).map { path + [$0] } }
            found += next
            level = next
        }
        return found
    }

    private func steps(at path: [PathStep]) -> [PathStep] {
        switch self[path] {
        case .object(let members): members.keys.sorted().map(PathStep.key)
        // From the end, so that taking one away moves no other.
        case .array(let elements): elements.indices.reversed().map(PathStep.index)
        default: []
        }
    }
}
