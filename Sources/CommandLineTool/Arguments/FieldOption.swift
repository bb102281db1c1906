/// An option with the field that its value sets.
struct FieldOption<Target>: Sendable {
    let option: Option
    /// - Throws: that the value is none that the field can have.
    fileprivate let set: @Sendable (Arguments, inout Target) throws(CommandFailure) -> Void

    /// An option of a number or a span, which a field takes as it is.
    init<Field: BinaryInteger & SendableMetatype>(
        _ name: String, _ value: Option.Value,
        _ field: any WritableKeyPath<Target, Field> & Sendable, _ summary: String
    ) {
        self.init(Option(name, value, summary)) { arguments, target in
            if let number = arguments.number(name) { target[keyPath: field] = Field(number) }
        }
    }

    /// An option of a number or a span that may also be absent.
    init<Field: BinaryInteger & SendableMetatype>(
        _ name: String, _ value: Option.Value,
        _ field: any WritableKeyPath<Target, Field?> & Sendable, _ summary: String
    ) {
        self.init(Option(name, value, summary)) { arguments, target in
            if let number = arguments.number(name) { target[keyPath: field] = Field(number) }
        }
    }

    /// An option with a reading of its own.
    init(
        _ option: Option,
        set: @escaping @Sendable (Arguments, inout Target) throws(CommandFailure) -> Void
    ) {
        (self.option, self.set) = (option, set)
    }
}

extension Arguments {
    /// A value with the fields set of which the options are given.
    ///
    /// - Throws: that the value of an option is none that its field can have.
    func setting<Target>(
        _ options: [FieldOption<Target>], of target: Target
    ) throws(CommandFailure) -> Target {
        var target = target
        for option in options { try option.set(self, &target) }
        return target
    }
}
