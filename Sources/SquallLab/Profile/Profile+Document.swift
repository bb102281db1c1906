public import SquallFormat

extension Profile {
    /// A document that asked for another seed, duration or number of users, changed so that it asks
    /// for those of this profile.
    ///
    /// Both have the same populations and stages, as ``scaled(toUsers:)`` leaves them.
    public func written(in document: JSONNode) -> JSONNode {
        var changed = document
        func put(_ value: JSON, at path: SettingPath) {
            changed = changed.replacing(path, with: JSONNode(value)) ?? changed
        }
        put(.unsigned(seed), at: .root.appending("seed"))
        put(.string(Units.exact(nanoseconds: durationNanoseconds)), at: .root.appending("duration"))
        for (index, population) in populations.enumerated() {
            let path = SettingPath.root.appending("populations").appending(index)
            put(.integer(population.users), at: path.appending("users"))
            guard case .closed(_, let stages) = population.load else { continue }
            let list = path.appending("load").appending("closed").appending("stages")
            for (stage, plan) in stages.enumerated() {
                put(.integer(plan.users), at: list.appending(stage).appending("users"))
            }
        }
        return changed
    }
}
