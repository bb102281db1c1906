public import SquallFormat

extension Profile {
    /// A document changed to this profile's seed, duration, number of users and assumed settings.
    ///
    /// Both have the same populations and stages, as after ``scaled(toUsers:)``.
    public func written(in document: JSONNode) -> JSONNode {
        var changed = assumedWritten(in: document)
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
