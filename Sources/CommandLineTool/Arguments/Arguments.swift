import SquallFormat

/// The words of a command line, checked against the command's table.
public struct Arguments: Sendable {
    /// The words that are no options, in their order.
    public let operands: [String]
    /// The words behind `--`, for a command that runs another one.
    var ownCommand: [String] = []
    /// The values of each option that is given.
    let values: [String: [Value]]
    /// The options that the command line did not give, and what gave them.
    private(set) var defaults: [String] = []
    /// The names of the options that the command line gave.
    private var typed: Set<String> = []

    /// An option's value, parsed and in range.
    enum Value: Hashable, Sendable {
        case present
        case text(String)
        case seed(UInt64)
        case count(Int64)
        case nanoseconds(Int64)
    }

    /// True if an option was given, on the command line or by its defaults.
    public func has(_ option: String) -> Bool { values[option] != nil }

    /// The text or path of an option; nil if it is not given.
    public func text(_ option: String) -> String? { texts(option).first }

    /// A value of visible letters without a colon, as names of header fields and schemes are.
    func word(_ option: String, _ example: String) throws -> String? {
        guard let text = text(option) else { return nil }
        guard text.utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: ":") }) else {
            throw CommandFailure.usage("\(option) must be \(example), got '\(text.excerpt())'")
        }
        return text
    }

    /// The values of an option that may be repeated, in their order.
    func texts(_ option: String) -> [String] {
        (values[option] ?? []).compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    /// The texts of an option, each as what it stands for; `form` says how it must be written.
    ///
    /// - Throws: that one is not written so.
    public func values<Value>(
        _ option: String, as form: String, _ read: (String) -> Value?
    ) throws(CommandFailure) -> [Value] {
        try texts(option).map { (text) throws(CommandFailure) in
            guard let value = read(text) else {
                throw .usage("\(option) must be \(form), got '\(text)'")
            }
            return value
        }
    }

    /// The first text of an option, as what it stands for; nil if it is not given.
    ///
    /// - Throws: that it is not written as `form` says.
    func value<Value>(
        _ option: String, as form: String, _ read: (String) -> Value?
    ) throws(CommandFailure) -> Value? {
        try values(option, as: form, read).first
    }

    /// True if an option was given on the command line, and not by a default.
    func isTyped(_ option: String) -> Bool { typed.contains(option) }

    /// Refuses options that mean nothing here, each with the reason behind its name; a default is
    /// for other commands too, and is not used.
    ///
    /// - Throws: the first of them that is given.
    func refuse(_ options: [String], _ reason: String) throws(CommandFailure) {
        guard let option = options.first(where: isTyped) else { return }
        throw .usage("\(option) \(reason)")
    }

    /// The seed of an option; nil if it is not given.
    public func seed(_ option: String) -> UInt64? {
        if case .seed(let seed) = values[option]?.first { seed } else { nil }
    }

    /// The number of an option; nil if it is not given.
    public func count(_ option: String) -> Int64? {
        if case .count(let count) = values[option]?.first { count } else { nil }
    }

    func nanoseconds(_ option: String) -> Int64? {
        if case .nanoseconds(let nanoseconds) = values[option]?.first { nanoseconds } else { nil }
    }

    /// The number or the nanoseconds of an option; nil if it is not given.
    func number(_ option: String) -> Int64? { count(option) ?? nanoseconds(option) }
}

extension Arguments {
    /// Reads the words that follow a command's name.
    ///
    /// - Throws: the first mistake, and how to correct it.
    static func parse(
        _ words: [String], for command: Command, defaults: [OptionDefaults.Default] = []
    ) throws(CommandFailure) -> Arguments {
        var (operands, ownCommand): ([String], [String]) = ([], [])
        var values: [String: [Value]] = [:]
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                if command.runsCommand { ownCommand += rest } else { operands += rest }
                guard !command.runsCommand || !rest.isEmpty else {
                    throw .usage("name a command behind --: \(command.usage)")
                }
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let (option, value) = try parse(option: word, &rest, for: command)
            guard values[option.name] == nil || option.repeats else {
                throw .usage("\(option.name) is given twice")
            }
            values[option.name, default: []].append(value)
        }
        try check(operands, of: command)
        let typed = Set(values.keys)
        var used: [String] = []
        for known in defaults where values[known.option] == nil {
            guard let option = command.options.first(where: { $0.name == known.option }) else {
                continue
            }
            let given = try read(known, of: option)
            guard !given.isEmpty else { continue }
            values[option.name] = given
            used.append("\(known.shown) (\(known.source))")
        }
        return Arguments(
            operands: operands, ownCommand: ownCommand, values: values, defaults: used,
            typed: typed)
    }

    private static func read(
        _ known: OptionDefaults.Default, of option: Option
    ) throws(CommandFailure) -> [Value] {
        guard option.placeholder != nil else {
            switch known.texts {
            case ["1"], ["true"], ["yes"]: return [.present]
            case ["0"], ["false"], ["no"], [""]: return []
            default:
                throw .usage(
                    "\(known.source): \(option.name) is on or off: true or false, got"
                        + " '\(known.texts.joined(separator: ", ").excerpt())'")
            }
        }
        guard known.texts.count == 1 || option.repeats else {
            throw .usage("\(known.source): \(option.name) takes one value, got a list")
        }
        return try known.texts.map { (text) throws(CommandFailure) in
            do throws(CommandFailure) {
                guard !text.isEmpty else { throw .usage("\(option.name) needs a value") }
                return try value(text, of: option)
            } catch {
                throw CommandFailure(
                    code: error.code, description: "\(known.source): \(error.description)")
            }
        }
    }

    private static func parse(
        option word: String, _ rest: inout ArraySlice<String>, for command: Command
    ) throws(CommandFailure) -> (Option, Value) {
        let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(halves[0])
        let known = command.options.first { $0.name == name || $0.shortName == name }
        guard let option = known else {
            throw .usage("\(command.call) has no option '\(name)'.\(hint(for: name, of: command))")
        }
        guard let placeholder = option.placeholder else {
            guard halves.count == 1 else {
                throw .usage("\(name) is on or off and takes no value, got '\(halves[1])'")
            }
            return (option, .present)
        }
        let text: String
        if halves.count == 2 {
            text = String(halves[1])
        } else if let next = rest.first, isValue(next) {
            text = next
            rest.removeFirst()
        } else {
            text = option.usual ?? ""
        }
        guard !text.isEmpty else { throw .usage("\(name) needs a value: \(name) \(placeholder)") }
        return (option, try value(text, of: option))
    }

    /// What an unknown option was meant to be: one of the command's, or one of another load tool
    /// that has a counterpart here; also where either is misspelt.
    private static func hint(for name: String, of command: Command) -> String {
        let own = command.options.filter { !$0.isHidden }.map(\.name) + ["--help"]
        let others = elsewhere.filter { own.contains($0.option) }
        let known = own + others.flatMap(\.names).filter { $0.hasPrefix("--") }
        func here(_ name: String) -> String? {
            others.first { $0.names.contains(name) }.map { " Here it is \($0.words)." }
        }
        return here(name)
            ?? Spelling.hint(for: name, among: known)
            + (Spelling.nearest(to: name, among: known).flatMap(here) ?? "")
    }

    /// The options of other load tools, with the option that a command needs for the same; the
    /// nearest name by its letters would be one that does something else.
    private static let elsewhere: [(names: [String], option: String, words: String)] = [
        (["--vus", "-u", "-c", "--connections"], "--users", "--users"),
        (["--duration", "--run-time", "-t", "-d"], "--for", "--for"),
        (["--iterations", "-i"], "--for", "--for: users go on until the time is over"),
        (["--host", "-H"], "--target", "--target"),
        (["--host", "-H"], "--users", "--target of squall drive"),
        (["--headless", "--autostart"], "--summary", "always so; drive and capacity have --live"),
        (["--spawn-rate", "-r"], "--set", "--set populations[0].arriveOver=1m"),
        (["--rps"], "--set", "a rate of --set populations[0].load, see squall help profile"),
        (
            ["--stage", "--stages"], "--set",
            "stages of --set populations[0].load, see squall help profile"
        ),
        (
            ["--tag"], "--threshold",
            "a tag in braces, as in --threshold 'step_duration{step:episode}: p(95)<1s'"
        ),
        (["--summary-export"], "--summary", "--summary"),
        (["--html"], "--page", "--page"),
        (["--csv"], "--summary", "timeseries.csv, which every run writes"),
        (["--html"], "--summary", "report.html, which every run writes"),
    ]

    /// True for any word but an option; a negative number can be an option's value.
    private static func isValue(_ word: String) -> Bool {
        word == "-" || !word.hasPrefix("-") || word.dropFirst().first?.isNumber == true
    }

    private static func value(
        _ text: String, of option: Option
    ) throws(CommandFailure) -> Value {
        switch option.value {
        case .none: return .present
        case .path where text.contains("://"):
            throw .usage(
                "\(option.name) must be a \(option.placeholder ?? "file") of this machine, got"
                    + " '\(text)'. Only files are read and written: download what is read, as with"
                    + " curl -O; other systems import a run's metrics.prom")
        case .text, .path: return .text(text)
        case .seed:
            guard let seed = Units.seed(text) else {
                throw .usage("\(option.name) must be 0…2⁶⁴−1 or 0x…, got '\(text)'")
            }
            return .seed(seed)
        case .count(let range):
            let count = try read(text, option, Units.count)
            guard range.contains(count) else {
                throw .usage("\(option.name) must be \(option.limits ?? ""), got \(text)")
            }
            return .count(count)
        case .duration(let range):
            let duration = try read(text, option, Units.nanoseconds)
            guard range.contains(duration) else {
                throw .usage("\(option.name) must be \(option.limits ?? ""), got \(text)")
            }
            return .nanoseconds(duration)
        }
    }

    private static func read(
        _ text: String, _ option: Option, _ read: (String) throws(UnitError) -> Int64
    ) throws(CommandFailure) -> Int64 {
        do throws(UnitError) {
            return try read(text)
        } catch {
            if let limits = option.limits, text.hasPrefix("-") {
                throw .usage("\(option.name) must be \(limits), got \(text)")
            }
            if let limits = option.shortLimits {
                throw .usage("\(option.name) must be a number, \(limits), got '\(text.excerpt())'")
            }
            throw .usage("\(option.name): \(error)")
        }
    }

    private static func check(
        _ operands: [String], of command: Command
    ) throws(CommandFailure) {
        // Each operand takes one word; the last one takes all that are left.
        guard let last = command.operands.last else {
            guard let stray = operands.first else { return }
            throw .usage("\(command.call) takes no '\(stray)'; try: \(command.usage)")
        }
        let single = command.operands.dropLast()
        for (place, operand) in single.enumerated() {
            try check(Array(operands.dropFirst(place).prefix(1)), operand, of: command)
        }
        try check(Array(operands.dropFirst(single.count)), last, of: command)
    }

    private static func check(
        _ operands: [String], _ operand: Operand, of command: Command
    ) throws(CommandFailure) {
        if operands.isEmpty, !operand.count.allowsNone {
            let article = "aeio".contains(operand.name.prefix(1)) ? "an" : "a"
            throw .usage(
                "\(command.call) needs \(article) <\(operand.name)>: \(command.usage)")
        }
        if operands.count > 1, !operand.count.allowsSeveral {
            throw .usage(
                "\(command.call) takes one <\(operand.name)>; '\(operands[1])' is too much"
                    + (command.runsCommand
                        ? "; a command goes behind --: \(command.call) \(operands[0]) --"
                            + " \(operands[1]) …" : ""))
        }
        guard let known = operand.values.known else { return }
        try check(operands, operand, among: known, of: command)
    }

    /// Refuses words that are none of the known ones.
    static func check(
        _ operands: [String], _ operand: Operand, among known: [String], of command: Command
    ) throws(CommandFailure) {
        for word in operands where !known.contains(word) {
            throw .usage(
                "\(command.call) knows no \(operand.name) '\(word)'."
                    + Spelling.hint(for: word, among: known)
                    + Spelling.known(known))
        }
    }
}
