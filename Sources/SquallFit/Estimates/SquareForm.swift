/// The quadratic form of the inverse of a positive semidefinite symmetric matrix.
///
/// Columns that depend on earlier ones are left out.
struct SquareForm {
    /// The rows of Cholesky's factor; nil for a column left out.
    private let factor: [[Double]?]
    /// The number of columns used.
    var rank: Int { factor.count { $0 != nil } }
    private static let independence = 1e-9

    /// Factors a matrix given by its lower half.
    init(_ matrix: [[Double]]) {
        var factor: [[Double]?] = []
        for (index, given) in matrix.enumerated() {
            let row = Self.solved(Array(given[..<index]), factor)
            let rest = row.reduce(given[index]) { $0 - $1 * $1 }
            factor.append(
                rest > given[index] * Self.independence ? row + [rest.squareRoot()] : nil)
        }
        self.factor = factor
    }

    /// The factor's inverse times a vector.
    private static func solved(_ vector: [Double], _ factor: [[Double]?]) -> [Double] {
        var solved: [Double] = []
        for (index, value) in vector.enumerated() {
            guard let row = factor[index] else {
                solved.append(0)
                continue
            }
            let rest = zip(row, solved).reduce(value) { $0 - $1.0 * $1.1 }
            solved.append(rest / row[index])
        }
        return solved
    }

    /// A vector times the inverse times the vector.
    func value(of vector: [Double]) -> Double {
        Self.solved(vector, factor).reduce(0) { $0 + $1 * $1 }
    }

    /// The trace of the inverse times another symmetric matrix, given by its lower half.
    func trace(of matrix: [[Double]]) -> Double {
        let whole = matrix.indices.map { row in
            matrix.indices.map { $0 <= row ? matrix[row][$0] : matrix[$0][row] }
        }
        let half = whole.map { Self.solved($0, factor) }
        return matrix.indices.reduce(0) { sum, column in
            sum + Self.solved(half.map { $0[column] }, factor)[column]
        }
    }
}
