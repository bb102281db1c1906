import SquallFormat
public import SquallLab

/// Minimises a failing profile while it still fails.
///
/// It removes members and elements, whole branches first, and halves lists, as long as the result
/// is valid and fails in the same way.
public struct ProfileShrinking {
    private let vocabulary: ProfileVocabulary
    private let stillFails: (DrawnProfile) -> Bool
    private var trialsLeft: Int

    /// Makes a search with a limit on how often a smaller profile is tried.
    public init(
        _ vocabulary: ProfileVocabulary, trialsMax: Int = 300,
        stillFails: @escaping (DrawnProfile) -> Bool
    ) {
        self.vocabulary = vocabulary
        self.stillFails = stillFails
        trialsLeft = trialsMax
    }

    /// The smallest failing profile found.
    public mutating func smallest(of drawn: DrawnProfile) -> DrawnProfile {
        var smallest = drawn
        var before: DrawnProfile?
        // A later round may remove what an earlier one could not, when what needed it is gone.
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

    /// Removes half of a long list, as often as the rest still fails.
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

    /// Takes a smaller document, if it is valid and still fails.
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
    /// The paths of all members and elements, outer ones first.
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
        // From the last to the first, so that removing one moves no other.
        case .array(let elements): elements.indices.reversed().map(PathStep.index)
        default: []
        }
    }
}
