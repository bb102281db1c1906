import SquallFormat
import SquallKernel
public import SquallLab

/// Draws valid profiles from the table of settings: each setting at its ends and between, with
/// faults, laws, apps, designs and loads combined as they come.
///
/// The table says what each setting may be. What settings may not be together is learnt from the
/// reader: a draw that it refuses is mended where it says, until it is content. So a new setting or
/// rule needs no line here.
///
/// ```swift
/// let drawn = ProfileDraw().profile(17, seed: 1)
/// ```
public struct ProfileDraw: Sendable {
    let vocabulary: ProfileVocabulary
    /// The table of settings.
    let table: SettingDomain
    private static let mendingsMax = 40
    private static let attemptsMax: UInt64 = 3
    private let blank: FuzzCoverage
    private let aims: [FuzzAim]

    /// Draws that speak of what there is.
    public init(_ vocabulary: ProfileVocabulary = .installed) {
        self.vocabulary = vocabulary
        table = .section(Profile.settings(vocabulary))
        blank = FuzzCoverage(vocabulary)
        aims = blank.aims
    }

    /// The profile of a number; nil for the few that could not be mended.
    ///
    /// Every other number is drawn around one end of one setting, all of them in turn.
    public func profile(_ number: UInt64, seed: UInt64) -> DrawnProfile? {
        let root = RandomStream(seed: seed).stream("fuzz").stream(number: number)
        let aim = number % 2 == 1 ? aims[Int(number / 2 % UInt64(aims.count))] : nil
        var found: DrawnProfile?
        for attempt in 0..<ProfileDraw.attemptsMax {
            let dice = RandomChoices(root.stream(number: attempt))
            guard
                let drawn = profile(ProfileGenerator(dice: dice, vocabulary: vocabulary, aim: aim))
            else { continue }
            guard let aim else { return drawn }
            var coverage = blank
            coverage.note(drawn)
            if coverage.has(aim) { return drawn }
            found = found ?? drawn
        }
        return found
    }

    private func profile(_ pen: ProfileGenerator) -> DrawnProfile? {
        var pen = pen
        var drawn = DrawnProfile(document: pen.value(of: table, at: []))
        drawn.files = pen.files
        for round in 0..<ProfileDraw.mendingsMax {
            do throws(InvalidProfile) {
                _ = try drawn.checked(vocabulary)
                return drawn
            } catch {
                mend(error.problems, in: &drawn, with: &pen, isLate: round % 8 > 5)
            }
        }
        return nil
    }

    /// Mends one problem of each section: settings of one are often refused for one reason, and
    /// what is left of them may be right.
    private func mend(
        _ problems: [ProfileProblem], in drawn: inout DrawnProfile,
        with pen: inout ProfileGenerator,
        isLate: Bool
    ) {
        var mended: Set<[PathStep]> = []
        // From the end, so that an element that is taken away moves none that has yet to be mended.
        for problem in problems.reversed() {
            let path = [PathStep](pointer: problem.path, in: drawn.document)
            let section = path.dropLast()
            guard drawn.document[Array(section)] != nil, mended.insert(Array(section)).inserted
            else { continue }
            mend(problem, at: path, in: &drawn, with: &pen, isLate: isLate)
        }
    }

    /// Takes away what is refused, or draws it again where it must be there.
    private func mend(
        _ problem: ProfileProblem, at path: [PathStep], in drawn: inout DrawnProfile,
        with pen: inout ProfileGenerator, isLate: Bool
    ) {
        var path = path
        let row = row(at: path)
        if let row, problem.label == .missingKey || (row.presence == .required && !isLate) {
            let value = pen.value(of: row.shape.domain, at: path)
            drawn.document = drawn.document.changing(path[...], to: value)
            return
        }
        if isLate, path.count > 1 { path.removeLast() }
        while let last = path.last {
            if case .index = last { break }
            if let row = self.row(at: path), row.presence != .required { break }
            if self.row(at: path) == nil { break }
            path.removeLast()
        }
        guard !path.isEmpty else { return }
        drawn.document = drawn.document.changing(path[...], to: nil)
    }

    private func row(at path: [PathStep]) -> SettingRow? {
        guard case .section(let rows) = table, case .key? = path.last else { return nil }
        return path.row(in: rows)
    }
}

extension [PathStep] {
    /// The row of the table that a path leads to; nil where the table has none.
    fileprivate func row(in rows: [SettingRow]) -> SettingRow? {
        var rows = rows
        var found: SettingRow?
        for case .key(let key) in self {
            found = rows.first { $0.key == key }
            rows = found?.shape.domain.rows ?? []
        }
        return found
    }
}

extension SettingDomain {
    /// The settings in a value, whatever stands between.
    fileprivate var rows: [SettingRow] {
        switch self {
        case .section(let rows), .oneOf(let rows): rows
        case .list(let element, _): element.rows
        case .either(let one, let other): one.rows + other.rows
        default: []
        }
    }
}
