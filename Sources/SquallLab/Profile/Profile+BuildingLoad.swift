// Every value has been validated; nothing here can fail on account of a file.

extension Profile.Load {
    init(_ values: FieldValues) {
        switch values.only {
        case ("closed", .section(let settings))?:
            self = .closed(
                pacingNanoseconds: settings.optionalNanoseconds("pacing"),
                stages: settings.sections("stages").map(Profile.UserStage.init))
        case ("open", .section(let settings))?:
            self = .open(Profile.Arrivals(settings))
        case ("partlyOpen", .section(let settings))?:
            self = .partlyOpen(
                Profile.Arrivals(settings), continues: settings.number("continue"))
        default:
            preconditionFailure("no such load: \(values)")
        }
    }
}

extension Profile.UserStage {
    fileprivate init(_ values: FieldValues) {
        users = values.integer("users")
        nanoseconds = values.nanoseconds("for")
    }
}

extension Profile.Arrivals {
    fileprivate init(_ values: FieldValues) {
        spacing = values.choice("spacing")
        stages = values.sections("stages").map(ArrivalStage.init)
    }
}

extension Profile.WarmUp {
    init(_ values: FieldValues?) {
        switch values?.only {
        case ("for", .nanoseconds(let nanoseconds))?: self = .first(nanoseconds: nanoseconds)
        case ("rule", .text)?: self = .mser5
        default: self = .none
        }
    }
}
