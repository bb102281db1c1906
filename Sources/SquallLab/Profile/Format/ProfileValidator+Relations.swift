import SquallFormat
import SquallReport

/// Rules between settings that are each valid alone.
extension ProfileValidator {
    /// The settings with a name for every population, after checking every rule.
    mutating func related(_ settings: FieldValues) -> FieldValues {
        var values = settings
        namePopulations(&values)
        checkLoads(values)
        checkFaults(values)
        checkContent(values)
        checkInterval(values)
        checkDistributions(.section(values), at: .root)
        return values
    }

    private mutating func namePopulations(_ values: inout FieldValues) {
        guard case .list(let elements) = values["populations"] else { return }
        var taken: [String] = []
        let named = elements.enumerated().map { index, element -> FieldValue in
            guard case .section(var population) = element else { return element }
            let app = population.optionalText("app") ?? ""
            let name =
                population.optionalText("name")
                ?? (taken.contains(app) ? "\(app)-\(index + 1)" : app)
            if taken.contains(name) {
                let path = FieldPath.root.appending("populations").appending(index)
                report(
                    .contradiction, at: path.appending("name"),
                    "\(path.appending("name")) \"\(name)\" is taken by an earlier population")
            }
            taken.append(name)
            population["name"] = .text(name)
            return .section(population)
        }
        values["populations"] = .list(named)
    }

    private mutating func checkFaults(_ values: FieldValues) {
        guard case .section(let backend) = values["backend"],
            case .list(let faults) = backend["faults"]
        else { return }
        for (index, fault) in faults.enumerated() {
            guard case .section(let fault) = fault else { continue }
            let path = FieldPath.root.appending("backend").appending("faults").appending(index)
            checkSettings(ofFault: fault, at: path)
            checkApp(ofFault: fault, values, at: path.appending("app"))
            guard let end = values.optionalNanoseconds("duration"),
                let moment = fault.optionalNanoseconds("at"), moment > end
            else { continue }
            report(
                .contradiction, at: path.appending("at"),
                "\(path.appending("at")) must not be after the end of the run at"
                    + " \(Units.exact(nanoseconds: end)), got \(Units.exact(nanoseconds: moment))")
        }
    }

    private mutating func checkApp(
        ofFault fault: FieldValues, _ values: FieldValues, at path: FieldPath
    ) {
        guard let app = fault.optionalText("app"),
            case .list(let populations) = values["populations"]
        else { return }
        let isUsed = populations.contains { population in
            guard case .section(let population) = population else { return true }
            return population.optionalText("app") == app
        }
        guard !isUsed else { return }
        report(.contradiction, at: path, "\(path) \"\(app)\" is used by no population")
    }

    private mutating func checkContent(_ values: FieldValues) {
        guard case .section(let backend) = values["backend"],
            case .section(let content) = backend["content"]
        else { return }
        checkPostCount(content)
        guard
            let shortest = content.optionalInteger("episodesPerNovelMin"),
            let longest = content.optionalInteger("episodesPerNovelMax"), shortest > longest
        else { return }
        let path = FieldPath.root.appending("backend").appending("content")
        report(
            .contradiction, at: path.appending("episodesPerNovelMax"),
            "\(path.appending("episodesPerNovelMax")) must be at least episodesPerNovelMin"
                + " (\(shortest)), got \(longest)")
    }

    /// Every post has a number of six hexadecimal digits in its identifier.
    private mutating func checkPostCount(_ content: FieldValues) {
        let novels = content.optionalInteger("novels") ?? 0
        let longest = content.optionalInteger("episodesPerNovelMax") ?? 0
        let others = ["bookPosts", "giftQuestions", "outfits"].reduce(0) {
            $0 + (content.optionalInteger($1) ?? 0)
        }
        let most = novels * (1 + longest) + others
        guard most > 16_000_000 else { return }
        let path = FieldPath.root.appending("backend").appending("content")
        report(
            .contradiction, at: path,
            "\(path) must be at most 16 000 000 posts, got up to \(most)")
    }

    private mutating func checkInterval(_ values: FieldValues) {
        guard case .section(let output) = values["output"],
            let interval = output.optionalNanoseconds("timeseriesInterval"),
            interval % 1_000_000 != 0
        else { return }
        let path = FieldPath.root.appending("output").appending("timeseriesInterval")
        report(
            .contradiction, at: path,
            "\(path) must be whole milliseconds, got \(Units.exact(nanoseconds: interval))")
    }

    /// Looks for laws whose parameters contradict each other, wherever they are.
    private mutating func checkDistributions(_ value: FieldValue, at path: FieldPath) {
        switch value {
        case .list(let elements):
            for (index, element) in elements.enumerated() {
                checkDistributions(element, at: path.appending(index))
            }
        case .section(let section):
            for key in section.keys {
                guard let value = section[key] else { continue }
                checkLaw(key, value, at: path.appending(key))
                checkDistributions(value, at: path.appending(key))
            }
        default: return
        }
    }

    private mutating func checkLaw(_ law: String, _ value: FieldValue, at path: FieldPath) {
        switch (law, value) {
        case ("uniform", .list(let ends)):
            check(ends[0].asNanoseconds, "the first value", isAtMost: ends[1].asNanoseconds, path)
        case ("exponential", .section(let law)):
            let mean = law.optionalNanoseconds("mean")
            check(law.optionalNanoseconds("min"), "min", isAtMost: mean, path)
            check(mean, "mean", isAtMost: law.optionalNanoseconds("max"), path)
        case ("logNormal", .section(let law)):
            check(
                law.optionalNanoseconds("median"), "median",
                isAtMost: law.optionalNanoseconds("max"), path)
        case ("pareto", .section(let law)):
            check(
                law.optionalNanoseconds("scale"), "scale",
                isAtMost: law.optionalNanoseconds("max"), path)
        default: return
        }
    }

    private mutating func check(
        _ small: Int64?, _ name: String, isAtMost large: Int64?, _ path: FieldPath
    ) {
        guard let small, let large, small > large else { return }
        report(
            .contradiction, at: path,
            "\(path): \(name) must be at most \(Units.exact(nanoseconds: large)),"
                + " got \(Units.exact(nanoseconds: small))")
    }
}
