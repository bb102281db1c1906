import SquallFormat
import SquallReport

/// Rules of loads whose settings are each valid alone.
extension ProfileValidator {
    mutating func checkLoads(_ values: FieldValues) {
        checkWarmUp(values)
        checkWindows(values)
        guard case .list(let elements) = values["populations"] else { return }
        for (index, element) in elements.enumerated() {
            guard case .section(let population) = element,
                let load = population.optionalSection("load")?.only,
                case .section(let settings) = load.value
            else { continue }
            let path = FieldPath.root.appending("populations").appending(index)
                .appending("load").appending(load.key).appending("stages")
            checkTraces(settings, at: path)
            checkUserStages(settings, of: population.optionalInteger("users"), at: path)
        }
    }

    private mutating func checkWarmUp(_ values: FieldValues) {
        guard let warmUp = values.optionalSection("warmUp")?.optionalNanoseconds("for"),
            let duration = values.optionalNanoseconds("duration"), warmUp >= duration
        else { return }
        let path = FieldPath.root.appending("warmUp").appending("for")
        report(
            .contradiction, at: path,
            "\(path) must be shorter than the run of \(Units.exact(nanoseconds: duration)),"
                + " got \(Units.exact(nanoseconds: warmUp))")
    }

    private mutating func checkWindows(_ values: FieldValues) {
        guard let duration = values.optionalNanoseconds("duration"),
            case .thresholds(let thresholds) = values["thresholds"]
        else { return }
        for threshold in thresholds where threshold.afterNanoseconds ?? 0 >= duration {
            let path = FieldPath.root.appending("thresholds")
                .appending(threshold.selection.description)
            report(
                .contradiction, at: path,
                "'\(threshold.expression)' begins at the end of the run of"
                    + " \(Units.exact(nanoseconds: duration)) or later")
        }
    }

    private mutating func checkTraces(_ settings: FieldValues, at path: FieldPath) {
        guard settings.optionalText("spacing") == "poisson",
            case .list(let stages) = settings["stages"]
        else { return }
        for (index, stage) in stages.enumerated() {
            guard case .section(let shape) = stage, shape.only?.key == "trace" else { continue }
            let path = path.appending(index)
            report(
                .contradiction, at: path,
                "\(path): a trace says itself when sessions arrive; use \"spacing\": \"even\"")
        }
    }

    private mutating func checkUserStages(
        _ settings: FieldValues, of users: Int64?, at path: FieldPath
    ) {
        guard let users, case .list(let stages) = settings["stages"] else { return }
        for (index, stage) in stages.enumerated() {
            guard case .section(let stage) = stage, let active = stage.optionalInteger("users"),
                active > users
            else { continue }
            let path = path.appending(index).appending("users")
            report(
                .contradiction, at: path,
                "\(path) must be at most the population's \(Units.grouped(users)) users,"
                    + " got \(Units.grouped(active))")
        }
    }
}
