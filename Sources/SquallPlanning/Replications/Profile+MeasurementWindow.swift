import SquallFormat
import SquallLab

extension Profile {
    /// A sentence about which part of each replication counts and what that means for the answer.
    var measurementWindow: String {
        switch warmUp {
        case .none:
            "Each replication is a whole run from its beginning (terminating): no warm-up is left"
                + " out."
        case .first(let nanoseconds):
            "Each replication counts from \(Units.exact(nanoseconds: nanoseconds)) on, as steady:"
                + " what is before it is left out."
        case .mser5:
            "Each replication counts from where MSER-5 finds that its own warm-up ends, as steady."
        }
    }
}
