import SquallFormat
import SquallKernel
public import SquallLab

/// Draws random valid profiles from the table of settings: each setting at its ends and between,
/// with any combination of faults, distributions, apps, designs and loads.
///
/// The table says what each setting may be. Which combinations are invalid is learnt from the
/// reader: a draw that it refuses is changed at the refused place until it is accepted. So a new
/// setting or rule needs no line here.
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

    /// Makes draws from a vocabulary.
    public init(_ vocabulary: ProfileVocabulary = .installed) {
        self.vocabulary = vocabulary
        table = .section(Profile.settings(vocabulary))
        blank = FuzzCoverage(vocabulary)
        aims = blank.aims
    }

    /// The profile of a number; nil for the few that could not be made valid.
    ///
    /// Every other number is drawn around one end of one setting; the ends take turns.
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

    /// Repairs one problem in each section: settings of one section are often refused for one
    /// reason, and the others may then be valid.
    private func mend(
        _ problems: [ProfileProblem], in drawn: inout DrawnProfile,
        with pen: inout ProfileGenerator,
        isLate: Bool
    ) {
        var mended: Set<[PathStep]> = []
        // From the last to the first, so that removing an element moves none still to be done.
        for problem in problems.reversed() {
            let path = [PathStep](pointer: problem.path, in: drawn.document)
            let section = path.dropLast()
            guard drawn.document[Array(section)] != nil, mended.insert(Array(section)).inserted
            else { continue }
            mend(problem, at: path, in: &drawn, with: &pen, isLate: isLate)
        }
    }

    /// Removes what is refused, or draws it again if it is required.
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
    /// The row of the table at a path; nil if there is none.
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
    /// The settings in a value, at any depth.
    fileprivate var rows: [SettingRow] {
        switch self {
        case .section(let rows), .oneOf(let rows): rows
        case .list(let element, _): element.rows
        case .either(let one, let other): one.rows + other.rows
        default: []
        }
    }
}
