import SquallKernel

/// The screens on which users stay much longer, or much shorter, than on the others.
///
/// One law for all pauses has the right mean and the wrong order: where users of a sign-in stay for
/// a minute and others for seconds, their tokens end at other times than in such a mixture.
struct ScreenPauses {
    /// The screens with a law of their own, in order.
    let screens: [Int]

    /// No screen with fewer pauses has a law of its own, nor do more screens than that.
    private static let (least, most) = (50.0, 8)
    /// The least ratio of the means, and the least difference of the logarithms of lengths in
    /// standard errors: with a hundred screens chance has one beyond that in a thousand logs.
    private static let (ratio, errors) = (1.5, 5.0)

    init(_ looks: some Sequence<Pauses.Pause>, of kinds: Int) {
        var sums = [Sums](repeating: Sums(), count: kinds)
        for look in looks { sums[look.from] += Sums(look.span) }
        var rest = sums.reduce(into: Sums()) { $0 += $1 }
        var found: [Int] = []
        while found.count < Self.most {
            let apart = sums.indices.filter { !found.contains($0) }.compactMap { screen in
                sums[screen].factor(to: rest - sums[screen]).map { (screen, $0) }
            }
            guard let next = apart.max(by: { $0.1 < $1.1 })?.0 else { break }
            found.append(next)
            rest = rest - sums[next]
        }
        screens = found.sorted()
    }

    /// Lengths by the place of their screen: one list for each of ``screens``, and one of the rest.
    func parted(_ looks: some Sequence<Pauses.Pause>) -> [[Double]] {
        looks.reduce(into: Array(repeating: [], count: screens.count + 1)) {
            $0[place(of: $1.from)].append($1.span)
        }
    }

    /// The looks that end visits, as many of each screen as absences follow it.
    func last(of parted: [[Double]], before absences: [Pauses.Pause]) -> [Double] {
        guard !screens.isEmpty else { return parted[0] }
        var counts = parted.map { _ in 0 }
        for absence in absences { counts[place(of: absence.from)] += 1 }
        let all = 4_000.0 / Double(max(1, absences.count))
        return zip(parted, counts).flatMap { looks, count -> [Double] in
            let (sorted, wanted) = (looks.sorted(), Int((Double(count) * all).rounded()))
            return (0..<wanted).map { sorted.quantile((Double($0) + 0.5) / Double(wanted)) }
        }
    }

    private func place(of screen: Int) -> Int {
        screens.firstIndex(of: screen) ?? screens.count
    }

    /// The number of some lengths, their sum, and the sums of their logarithms.
    private struct Sums {
        private var (count, sum, logs, squares) = (0.0, 0.0, 0.0, 0.0)

        init() {}

        init(_ span: Double) {
            let log = PortableMath.log(max(1, span))
            (count, sum, logs, squares) = (1, span, log, log * log)
        }

        static func += (left: inout Sums, right: Sums) {
            left.count += right.count
            left.sum += right.sum
            left.logs += right.logs
            left.squares += right.squares
        }

        static func - (left: Sums, right: Sums) -> Sums {
            var result = left
            result.count -= right.count
            result.sum -= right.sum
            result.logs -= right.logs
            result.squares -= right.squares
            return result
        }

        private var middle: Double { logs / count }
        /// The squared standard error of ``middle``.
        private var error: Double { max(0, squares / count - middle * middle) / count }

        /// How far the means are apart, as a factor; `nil` if that is chance or of little effect.
        func factor(to other: Sums) -> Double? {
            guard min(count, other.count) >= ScreenPauses.least else { return nil }
            let ratio = (sum / count) / (other.sum / other.count)
            let difference = abs(middle - other.middle)
            guard max(ratio, 1 / ratio) >= ScreenPauses.ratio,
                difference * difference > ScreenPauses.errors * ScreenPauses.errors
                    * (error + other.error)
            else { return nil }
            return max(ratio, 1 / ratio)
        }
    }
}
