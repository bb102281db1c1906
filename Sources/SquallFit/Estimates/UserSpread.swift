import SquallFormat
import SquallKernel

/// How much users differ in the pauses between their screens.
///
/// A profile has one law of pauses for all users. Where there are two kinds of users, one of its
/// users is of neither.
struct UserSpread {
    /// The factor of one standard deviation of users' mean logarithms, without what chance adds;
    /// `nil` where chance could make the difference, or where it is small.
    ///
    /// Screens have means of their own, since users go different ways. The rest is parted into what
    /// is between users and within each (Fisher's analysis of variance). All pauses count: those of
    /// slow users who never leave may pass for absences of quick ones.
    let factor: Double?

    /// No smaller factor is told: all people differ somewhat.
    private static let least = 2.0
    /// The standard errors of the variances' ratio beyond which it is no chance.
    private static let errors = 4.0
    /// The fewest pauses of a user that count.
    private static let fewest = 5.0

    init(_ pauses: Pauses.List) {
        typealias Sum = (count: Double, sum: Double)
        var (screens, users, squares): ([Int: Sum], [Int: Sum], Double) = ([:], [:], 0)
        func add(_ log: Double, to sum: inout Sum) { sum = (sum.count + 1, sum.sum + log) }
        func log(_ pause: Pauses.Pause) -> Double { PortableMath.log(max(1, pauses.length(pause))) }
        for pause in pauses { add(log(pause), to: &screens[pause.from, default: (0, 0)]) }
        for pause in pauses {
            let screen = screens[pause.from] ?? (1, 0)
            let rest = log(pause) - screen.sum / screen.count
            add(rest, to: &users[pause.person, default: (0, 0)])
            squares += rest * rest
        }
        // In one order, since sums of numbers depend on it; few pauses tell no user's mean.
        let sums = users.ordered { $0.key < $1.key }.map(\.value)
        let known = sums.filter { $0.count >= Self.fewest }
        guard known.count > 9 else {
            factor = nil
            return
        }
        let own = sums.reduce(0) { $0 + $1.sum * $1.sum / $1.count }
        let count = sums.reduce(-Double(sums.count)) { $0 + $1.count }
        let within = max(1e-9, (squares - own) / max(1, count))
        // Each user counts once: quick ones have more pauses.
        let means = Moments(known.map { $0.sum / $0.count })
        let chance = within * known.reduce(0) { $0 + 1 / $1.count } / Double(known.count)
        let error = (2 / Double(known.count - 1)).squareRoot()
        let isClear = PortableMath.log(max(1e-9, means.variance / chance)) > Self.errors * error
        let spread = PortableMath.exp(max(0, means.variance - chance).squareRoot())
        factor = isClear && spread >= Self.least ? spread : nil
    }
}
