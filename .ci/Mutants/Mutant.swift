/// One small change of a source file.
struct Mutant: Hashable, Sendable {
    /// What kinds of changes there are.
    enum Kind: String, CaseIterable, Sendable {
        case comparison, arithmetic, constant, logic
        case clauseDropped = "clause dropped"
        case negated
        case statementRemoved = "statement removed"
        case bodyEmptied = "body emptied"
        case defaultDropped = "default dropped"
        case argumentsSwapped = "arguments swapped"
        case caseBody = "body of the next case"
    }

    let kind: Kind
    /// The file's path from the root of the checkout.
    let path: String
    /// The line on which the change begins, from 1.
    let line: Int
    let before: String
    let after: String
    /// The bytes that stand for it in the file as it is.
    let range: Range<Int>
    /// What stands there when it is switched on.
    let variant: String
    let form: Form

    /// What it is, on one line; the same however lines above it move.
    var change: String { "\(kind.rawValue): \(Self.short(before)) → \(Self.short(after))" }

    /// The same with all that it makes of the syntax, which tells it from others in its file.
    var wholeChange: String { "\(change) as \(Self.short(variant))" }

    /// How both stand in one program; where two begin and end together, the earlier is outside.
    enum Form: Int, Sendable { case branches, removed, emptied, expression }

    /// What is written before and after the bytes as they are, so that `switched` chooses.
    func schema(_ switched: String) -> (prefix: String, suffix: String) {
        switch form {
        case .branches: ("if \(switched) {\n\(variant)\n} else {\n", "\n}")
        case .removed: ("if !\(switched) { ", " }")
        case .emptied: (" if \(switched) { return };", "")
        case .expression: ("(\(switched) ? (\(variant)) : (", "))")
        }
    }

    /// The target whose tests stand next to the file.
    var nearestTests: String {
        let words = path.split(separator: "/")
        return words.count > 1 ? "\(words[1])Tests" : ""
    }

    /// A text as one line that is not too long.
    private static func short(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty else { return "(nothing)" }
        return words.count > 70 ? words.prefix(69) + "…" : words
    }
}

/// FNV-1a: an order of mutants that depends on a seed and on their text alone.
func stableHash(_ text: String, seed: UInt64) -> UInt64 {
    var state: UInt64 = 0xcbf2_9ce4_8422_2325 ^ (seed &* 0x9e37_79b9_7f4a_7c15)
    for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
    // FNV's high bits hardly know of the last letters.
    state = (state ^ state >> 33) &* 0xff51_afd7_ed55_8ccd
    return state ^ state >> 33
}

extension [Mutant] {
    /// So many of them by a seed: of each kind in turn, so that rare kinds are drawn, too.
    func drawn(_ count: Int, seed: UInt64) -> [Mutant] {
        var occurrences: [String: Int] = [:]
        var byKind: [Mutant.Kind: [(key: UInt64, mutant: Mutant)]] = [:]
        for mutant in self {
            let name = mutant.path + "\n" + mutant.change
            occurrences[name, default: 0] += 1
            let key = stableHash("\(name)\n\(occurrences[name] ?? 0)", seed: seed)
            byKind[mutant.kind, default: []].append((key, mutant))
        }
        var queues = Mutant.Kind.allCases.map { kind in
            (byKind[kind] ?? []).sorted { $0.key > $1.key }.map(\.mutant)
        }
        var drawn: [Mutant] = []
        while drawn.count < count, queues.contains(where: { !$0.isEmpty }) {
            for index in queues.indices where drawn.count < count {
                if let next = queues[index].popLast() { drawn.append(next) }
            }
        }
        return drawn
    }
}
