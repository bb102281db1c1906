import SquallFormat

/// Holm's step-down correction of the probabilities of several tests made at once: the chance of
/// any false difference stays at most 5 %, however many tests there are (Holm, *A simple
/// sequentially rejective multiple test procedure*, Scandinavian Journal of Statistics 6, 1979).
enum HolmCorrection {
    /// The corrected probabilities, in the order of the given ones.
    static func corrected(_ probabilities: [Double]) -> [Double] {
        let order = probabilities.indices.ordered { probabilities[$0] < probabilities[$1] }
        var corrected = probabilities
        var highest = 0.0
        for (rank, index) in order.enumerated() {
            highest = max(highest, probabilities[index] * Double(probabilities.count - rank))
            corrected[index] = min(1, highest)
        }
        return corrected
    }
}
