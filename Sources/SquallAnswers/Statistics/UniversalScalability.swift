/// Gunther's Universal Scalability Law: X(N) = γN / (1 + α(N − 1) + βN(N − 1)).
///
/// γ is the throughput of one user, α the serial share, β the cost of coordination. It is fitted to
/// the relative deviations by Levenberg and Marquardt's method, with no parameter below zero; the
/// start comes from N/X, which is linear in the parameters.
struct UniversalScalability: Codable, Sendable {
    /// Throughput of one, α and β as above.
    let gamma, alpha, beta: Double
    /// The largest deviation of a point, as a share of its measured throughput.
    let largestResidual: Double
    /// The share of the variance of the throughput that the law explains.
    let explained: Double

    /// With a larger deviation at any point a fit is rejected.
    static let residualMax = 0.05

    /// The throughput at a load by the law.
    func throughput(at load: Double) -> Double {
        gamma * load / (1 + alpha * (load - 1) + beta * load * (load - 1))
    }

    /// The load of maximal throughput, √((1 − α)/β); nil where throughput never falls.
    var peak: Double? {
        beta > 0 && alpha < 1 ? ((1 - alpha) / beta).squareRoot() : nil
    }

    /// Fits the law to points; nil for fewer than four loads, or where it does not fit.
    init?(fitting points: [(load: Double, throughput: Double)]) {
        let points = points.filter { $0.load > 0 && $0.throughput > 0 }
        guard Set(points.map(\.load)).count >= 4 else { return nil }
        let parameters = Self.fit(points)
        let residuals = points.map { Self.residual($0, parameters).magnitude }
        let mean = points.reduce(0) { $0 + $1.throughput } / Double(points.count)
        let total = points.reduce(0) { $0 + ($1.throughput - mean) * ($1.throughput - mean) }
        let rest = zip(points, residuals).reduce(0) { sum, pair in
            let error = pair.0.throughput * pair.1
            return sum + error * error
        }
        gamma = parameters[0]
        alpha = parameters[1]
        beta = parameters[2]
        largestResidual = residuals.max() ?? 0
        explained = total > 0 ? 1 - rest / total : 0
        guard largestResidual <= Self.residualMax, gamma > 0 else { return nil }
    }

    private typealias Point = (load: Double, throughput: Double)

    /// The relative deviation of the law from a point.
    private static func residual(_ point: Point, _ p: [Double]) -> Double {
        let n = point.load
        return p[0] * n / (1 + p[1] * (n - 1) + p[2] * n * (n - 1)) / point.throughput - 1
    }

    private static func cost(_ points: [Point], _ parameters: [Double]) -> Double {
        points.reduce(0) { $0 + residual($1, parameters) * residual($1, parameters) }
    }

    private static func fit(_ points: [Point]) -> [Double] {
        let lowest = points.reduce(points[0]) { $1.load < $0.load ? $1 : $0 }
        let largest = points.reduce(0) { max($0, $1.load) }
        var parameters = [lowest.throughput / lowest.load, 0.1 / largest, 0.01 / largest / largest]
        var damping = 1e-3
        for _ in 0..<500 {
            let step = self.step(points, parameters, damping)
            let trial = zip(parameters, step).map { max(0, $0 + $1) }
            let (old, new) = (cost(points, parameters), cost(points, trial))
            if new < old {
                parameters = trial
                damping = max(1e-12, damping / 4)
                if old - new <= old * 1e-13 { break }
            } else {
                damping *= 4
                if damping > 1e12 { break }
            }
        }
        return parameters
    }

    /// Solves (JᵀJ + λ·diag(JᵀJ))·step = −Jᵀr.
    private static func step(
        _ points: [Point], _ p: [Double], _ damping: Double
    ) -> [Double] {
        var matrix = Array(repeating: Array(repeating: 0.0, count: 4), count: 3)
        for point in points {
            let n = point.load
            let bottom = 1 + p[1] * (n - 1) + p[2] * n * (n - 1)
            let value = p[0] * n / bottom / point.throughput
            let slope = [
                n / bottom / point.throughput, -value * (n - 1) / bottom,
                -value * n * (n - 1) / bottom,
            ]
            for row in 0..<3 {
                for column in 0..<3 { matrix[row][column] += slope[row] * slope[column] }
                matrix[row][3] -= slope[row] * (value - 1)
            }
        }
        for row in 0..<3 { matrix[row][row] *= 1 + damping }
        return solve(matrix)
    }

    /// Gaussian elimination with the largest pivot; 0 for a parameter that changes nothing.
    private static func solve(_ system: [[Double]]) -> [Double] {
        var rows = system
        for column in 0..<3 {
            let pivot = (column..<3).reduce(column) {
                rows[$1][column].magnitude > rows[$0][column].magnitude ? $1 : $0
            }
            rows.swapAt(column, pivot)
            guard rows[column][column] != 0 else { continue }
            for row in 0..<3 where row != column {
                let factor = rows[row][column] / rows[column][column]
                for index in 0..<4 { rows[row][index] -= factor * rows[column][index] }
            }
        }
        return rows.enumerated().map { column, row in
            row[column] == 0 ? 0 : row[3] / row[column]
        }
    }
}
