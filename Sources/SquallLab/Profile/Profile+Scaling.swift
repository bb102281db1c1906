extension Profile {
    /// The profile with this many users in total, shared among populations as before.
    ///
    /// Stages of a closed load shrink or grow with their population, and so do the rates of an open
    /// or partly open one: twice the users are twice the sessions a second. Every population keeps
    /// at least one user. Rounding favours the largest remainders, earlier populations first, so
    /// the total is exact and always the same.
    ///
    /// - Precondition: `total` is at least the number of populations.
    public func scaled(toUsers total: Int64) -> Profile {
        precondition(
            total >= populations.count,
            "\(populations.count) populations cannot share \(total) users")
        let weights = populations.map { Int128($0.users) }
        let sum = weights.reduce(0, +)
        var shares = weights.map { Int64($0 * Int128(total) / sum) }
        let remainders = weights.map { $0 * Int128(total) % sum }
        let missing = Int(total - shares.reduce(0, +))
        let order = remainders.indices.sorted { (-remainders[$0], $0) < (-remainders[$1], $1) }
        order.prefix(missing).forEach { shares[$0] += 1 }
        for index in shares.indices where shares[index] == 0 {
            let largest = shares.indices.reduce(0) { shares[$1] > shares[$0] ? $1 : $0 }
            shares[largest] -= 1
            shares[index] = 1
        }
        var scaled = self
        scaled.assumed.removeAll(where: \.isOfLoad)
        for (index, share) in shares.enumerated() {
            scaled.populations[index].load.scale(by: share, of: populations[index].users)
            scaled.populations[index].users = share
        }
        return scaled
    }
}

extension Profile.Load {
    fileprivate mutating func scale(by part: Int64, of whole: Int64) {
        guard case .closed(let pacing, let stages) = self else {
            return changeArrivals { $0.factor *= Double(part) / Double(whole) }
        }
        let scaled = stages.map { stage in
            let users = Int64(Int128(stage.users) * Int128(part) / Int128(whole))
            return Profile.UserStage(users: users, nanoseconds: stage.nanoseconds)
        }
        self = .closed(pacingNanoseconds: pacing, stages: scaled)
    }
}
