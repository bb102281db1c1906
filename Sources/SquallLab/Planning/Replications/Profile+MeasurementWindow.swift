import SquallFormat

extension Profile {
    /// A sentence about which part of each replication counts and what that means for the answer.
    var measurementWindow: String {
        switch warmUp {
        case .none:
            "Each replication counts from its beginning (terminating): no warm-up is excluded."
        case .first(let nanoseconds):
            "The first \(Units.setting(nanoseconds: nanoseconds)) of each replication (warm-up) is"
                + " excluded; the rest is assumed to be steady."
        case .mser5:
            "The warm-up of each replication, as MSER-5 finds it, is excluded."
        }
    }
}
