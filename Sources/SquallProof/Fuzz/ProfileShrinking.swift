import SquallFormat
public import SquallProfile

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
        while let smaller = smaller(than: smallest), trialsLeft > 0 { smallest = smaller }
        smallest.files = smallest.files.filter { smallest.document.line.contains($0.key) }
        return smallest
    }

    /// The first smaller profile that still fails; nil when there is none.
    private mutating func smaller(than drawn: DrawnProfile) -> DrawnProfile? {
        for path in drawn.document.paths where trialsLeft > 0 {
            let candidate = DrawnProfile(
                document: drawn.document.changing(path[...], to: nil), files: drawn.files)
            guard candidate != drawn, (try? candidate.checked(vocabulary)) != nil else { continue }
            trialsLeft -= 1
            if stillFails(candidate) { return candidate }
        }
        return nil
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
