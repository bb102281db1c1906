import SquallBackend
public import SquallFormat
import SquallKernel
import SquallReport

extension Profile {
    /// Names every population that has no name, and refuses a name that is taken.
    mutating func namePopulations(_ read: inout SettingsReader) {
        var taken: [String] = []
        for index in populations.indices {
            let path = read.path.appending("populations").appending(index)
            guard read.isSound(at: path.appending("name")), read.isSound(at: path.appending("app"))
            else { continue }
            let app = populations[index].app
            if populations[index].name.isEmpty {
                populations[index].name = taken.contains(app) ? "\(app)-\(index + 1)" : app
            }
            let name = populations[index].name
            if taken.contains(name) {
                read.refuse(
                    path.appending("name"), "\"\(name)\" is taken by an earlier population")
            }
            taken.append(name)
        }
    }

    /// Refuses to share the habits of an unknown population, or of one with other habits.
    func checkHabits(read: inout SettingsReader) {
        for (index, population) in populations.enumerated() {
            let path = read.path.appending("populations").appending(index).appending("habitsOf")
            guard let name = population.habitsOf, read.isSound(at: path) else { continue }
            guard let other = populations.first(where: { $0.name == name }), other != population
            else {
                let names = populations.map(\.name).filter { $0 != population.name }
                read.refuse(
                    path,
                    "\"\(name)\" is no other population." + Spelling.hint(for: name, among: names)
                        + " Others: \(names.joined(separator: ", "))")
                continue
            }
            if other.habitsOf != nil {
                read.refuse(
                    path, "\"\(name)\" has habitsOf itself; name the population it refers to")
            } else if let setting = population.difference(to: other) {
                read.report(
                    at: path,
                    "\(path): users with the journeys and pauses of \"\(name)\" need the same"
                        + " \(setting)")
            }
        }
    }

    /// Refuses more users than one world can number.
    func checkUsers(_ read: inout SettingsReader) {
        let limit = Profile.usersRange.upperBound
        let path = read.path.appending("populations")
        guard users > limit else { return }
        let shares = populations.indices.map {
            "\(path.appending($0).appending("users")) \(Units.grouped(populations[$0].users))"
        }
        read.refuse(
            path,
            "must have at most \(Units.grouped(limit)) users together,"
                + " got \(Units.grouped(users)): \(shares.prefix(3).joined(separator: ", "))"
                + (shares.count > 3 ? " and others" : ""))
    }

    /// Refuses more rows than a time series can have.
    func checkRows(_ read: inout SettingsReader) {
        let path = read.path.appending("output").appending("timeseriesInterval")
        if read.isSound("duration"), let rowProblem { read.refuse(path, rowProblem) }
    }

    /// The reason for which the time series would be too long; `nil` when it would not.
    public var rowProblem: String? {
        let rows = durationNanoseconds / timeseriesIntervalNanoseconds
        guard rows > Profile.rowsMax else { return nil }
        return "must be longer for a duration of \(Units.exact(nanoseconds: durationNanoseconds)):"
            + " a time series has at most \(Units.grouped(Profile.rowsMax)) rows,"
            + " got \(Units.grouped(rows))"
    }

    /// Refuses events that would only happen after the run.
    func checkMoments(read: inout SettingsReader) {
        guard read.isSound("duration") else { return }
        let end = Units.exact(nanoseconds: durationNanoseconds)
        let warmUpPath = read.path.appending("warmUp").appending("for")
        if case .first(let warmUp) = warmUp, warmUp >= durationNanoseconds {
            read.report(
                at: warmUpPath,
                "\(warmUpPath) must be shorter than the run of \(end),"
                    + " got \(Units.exact(nanoseconds: warmUp))")
        }
        checkFaults(&read, end)
        let server = read.path.appending("backend").appending("server")
        let stages = server.appending("workerStages")
        checkStages(backend.server.serving.stages, at: stages, &read, end)
        for (index, pool) in backend.server.serving.pools.enumerated() {
            let path = server.appending("pools").appending(index).appending("workerStages")
            checkStages(pool.stages, at: path, &read, end)
        }
    }

    /// Refuses thresholds on a part of the run that does not exist: it ends before that part, or
    /// does not measure it.
    func checkWindows(_ given: ProfileOverride?, _ problems: inout SettingProblems) {
        let length = given?.runNanoseconds ?? durationNanoseconds
        let end = Units.exact(nanoseconds: length) + (given.map { " (\($0.text))" } ?? "")
        // A run that is too short for its warm-up keeps only a part of it.
        var measured: Int64 = 0
        if case .first(let warmUp) = warmUp, warmUp < length { measured = warmUp }
        for expectation in expectations {
            guard let threshold = try? expectation.threshold() else { continue }
            let reason: String
            if threshold.afterNanoseconds ?? 0 >= length {
                reason =
                    "the run ends at \(end). Let it last longer with --for, let the threshold begin"
                    + " earlier, or leave all out with --set 'thresholds={}'"
            } else if let until = threshold.untilNanoseconds, until <= measured {
                reason =
                    "the first \(Units.exact(nanoseconds: measured)) are warm-up, which is not"
                    + " measured. Let the threshold end later, or shorten warmUp.for"
            } else {
                continue
            }
            problems.report(
                .contradiction,
                at: SettingPath.root.appending("thresholds").appending(expectation.metric),
                "'\(expectation.expression)' would never be evaluated: \(reason)")
        }
    }

    private func checkStages(
        _ stages: [WorkerStage], at path: SettingPath, _ read: inout SettingsReader, _ end: String
    ) {
        for (index, stage) in stages.enumerated()
        where stage.start.nanoseconds > durationNanoseconds {
            read.refuse(
                path.appending(index).appending("at"),
                "must not be after the end of the run at \(end),"
                    + " got \(Units.exact(nanoseconds: stage.start.nanoseconds))")
        }
    }

    /// Refuses an app without a server in the backend.
    func checkServers(_ read: inout SettingsReader) {
        guard read.isSound("backend"), appsAreSound(read) else { return }
        for (index, population) in populations.enumerated() {
            let path = read.path.appending("populations").appending(index).appending("app")
            guard let problem = backend.problem(servingApp: population.app) else { continue }
            read.refuse(path, "\"\(population.app)\" cannot work: \(problem)")
        }
    }

    /// Refuses declared apps without a service to call.
    func checkDeclaredApps(_ read: inout SettingsReader) {
        let path = read.path.appending("apps")
        guard !apps.isEmptyList, !backend.declaresService, read.isSound("backend") else { return }
        read.refuse(
            path,
            "needs /backend/service with at least one endpoint: a declared app calls"
                + " nothing else")
    }

    private func checkFaults(_ read: inout SettingsReader, _ end: String) {
        for (index, fault) in backend.faults.enumerated() {
            let path = read.path.appending("backend").appending("faults").appending(index)
            if fault.atNanoseconds > durationNanoseconds {
                read.refuse(
                    path.appending("at"),
                    "must not be after the end of the run at \(end),"
                        + " got \(Units.exact(nanoseconds: fault.atNanoseconds))")
            }
            guard let name = fault.app, appsAreSound(read),
                !populations.contains(where: { $0.app == name })
            else { continue }
            read.refuse(path.appending("app"), "\"\(name)\" is used by no population")
        }
    }

    /// True if all used apps are known: a misspelt name may be the one that is meant.
    private func appsAreSound(_ read: SettingsReader) -> Bool {
        let path = read.path.appending("populations")
        return populations.indices.allSatisfy {
            read.isSound(at: path.appending($0).appending("app"))
        }
    }
}

/// One problem of a profile, and how to solve it.
public struct ProfileProblem: Error, Hashable, Sendable {
    /// The file as it was named, or the option of the command line that is wrong.
    let file: String
    /// The line it is about, counted from 1; nil when the file could not be read at all.
    public let line: Int?
    /// The column in that line, counted from 1.
    public let column: Int?
    /// The place in the document as a JSON pointer, such as `/populations/0/users`.
    public let path: String
    /// The problem, with the value found and a right one.
    public let message: String
    /// The kind of problem, without changing parts.
    public let label: SettingProblem.Label
    /// True if an override, and not the file, made the problem.
    public let isOverride: Bool
}

extension ProfileProblem: CustomStringConvertible {
    /// The message with file, place and path.
    public var description: String {
        let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
        let path = path.isEmpty ? "" : ", \(path.excerpt(200))"
        return "\(message.visible) (\(file.visible)\(place)\(path))"
    }
}

/// All problems of a profile file.
public struct InvalidProfile: Error, Hashable, Sendable, CustomStringConvertible {
    /// The first problems in the order of the text; at least one.
    public let problems: [ProfileProblem]
    /// How many problems there are.
    public let count: Int

    /// One problem on each line.
    public var description: String {
        let others = count - problems.count
        let more = others > 0 ? ["and \(Units.counted(others, "other problem"))"] : []
        return (problems.map(\.description) + more).joined(separator: "\n")
    }
}
