/// Holm's step-down correction: of several questions asked at once, no true "nothing" is called a
/// difference more often than once in twenty, however many there are (Holm, *A simple sequentially
/// rejective multiple test procedure*, Scandinavian Journal of Statistics 6, 1979).
public enum HolmCorrection {
    /// The corrected probabilities, in the order of the given ones.
    public static func corrected(_ probabilities: [Double]) -> [Double] {
        let order = probabilities.indices.sorted {
            (probabilities[$0], $0) < (probabilities[$1], $1)
        }
        var corrected = probabilities
        var highest = 0.0
        for (rank, index) in order.enumerated() {
            highest = max(highest, probabilities[index] * Double(probabilities.count - rank))
            corrected[index] = min(1, highest)
        }
        return corrected
    }
}
