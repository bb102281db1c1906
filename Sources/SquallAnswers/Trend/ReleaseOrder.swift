import SquallFormat

/// The order of releases, the oldest first: by their version numbers, or else by the dates of their
/// runs.
///
/// A shell's `releases/*` is in the order of letters, where 1.10 comes before 1.2.
public enum ReleaseOrder: String, Sendable {
    case versions = "version numbers"
    case dates = "the dates of their runs"
    case given = "the command line"

    /// Puts releases in order; the indices are those of their names.
    ///
    /// `dates` are the beginnings of the runs of each, in ISO 8601; nil where that is unknown.
    public static func of(
        _ names: [String], dates: [String?]
    ) -> (order: ReleaseOrder, indices: [Int]) {
        let versions = names.compactMap(Version.init)
        if versions.count == names.count {
            return (.versions, names.indices.ordered { versions[$0] < versions[$1] })
        }
        let known = dates.compactMap(\.self)
        guard known.count == names.count else { return (.given, Array(names.indices)) }
        return (.dates, names.indices.ordered { known[$0] < known[$1] })
    }

    /// A name with numbers between dots, and what follows them: `v1.10.0-beta.2`.
    private struct Version: Comparable {
        private let numbers: [UInt64]
        /// The parts of a pre-release, which comes before the release; empty for a release.
        private let preRelease: [Substring]

        init?(_ name: String) {
            guard let start = name.firstIndex(where: \.isNumber),
                name[..<start].allSatisfy({ $0.isLetter || "-_ ".contains($0) })
            else { return nil }
            let core = name[start...].prefix { $0.isNumber || $0 == "." }
            let parts = core.split(separator: ".").map { UInt64($0) }
            guard parts.count > 1, !parts.contains(nil) else { return nil }
            numbers = parts.compactMap(\.self)
            preRelease = name[core.endIndex...].split { "-._+".contains($0) }
        }

        static func < (left: Version, right: Version) -> Bool {
            let count = max(left.numbers.count, right.numbers.count)
            let (one, other) = (left.padded(to: count), right.padded(to: count))
            guard one == other else { return one.lexicographicallyPrecedes(other) }
            guard !left.preRelease.isEmpty, !right.preRelease.isEmpty else {
                return !left.preRelease.isEmpty && right.preRelease.isEmpty
            }
            return left.preRelease.lexicographicallyPrecedes(right.preRelease) { one, other in
                guard let number = UInt64(one), let second = UInt64(other) else {
                    return one < other
                }
                return number < second
            }
        }

        private func padded(to count: Int) -> [UInt64] {
            numbers + Array(repeating: 0, count: count - numbers.count)
        }
    }
}
