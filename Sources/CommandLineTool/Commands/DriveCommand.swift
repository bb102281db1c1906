import Foundation
import SquallAnswers
import SquallApps
import SquallLive
import SquallFormat
import SquallKernel
import SquallLab
import SquallReport
import SquallServices
import SquallSockets

extension Command {
    static let drive = Command(
        name: "drive",
        summary: "Load a real server with a profile's users, who sign in and refresh tokens.",
        operands: [Operand(name: "profile", count: .one, values: .profiles)],
        options: [
            Option(
                "--target", .text("URL"),
                "The server, by http or https, such as http://127.0.0.1:8080; requests of the"
                    + " profile's app go there and nowhere else."),
            .owned, .certificates, .accounts, .clientName, .clientPlace,
        ] + DriveCommand.limits.map(\.option) + [
            Option(
                "--for", .duration(Profile.durationRange),
                "Duration of the load, instead of the profile's duration."),
            Option(
                "--shard", .text("i/n"),
                "Drive only every n-th user and session, starting with the i-th, at an n-th of"
                    + " --max-rate; squall merge combines the parts of n machines."),
        ] + Option.ofProfile.filter { $0.name != "--for" } + Option.ofAnswer + [
            .live(showing: "throughput, percentiles, failures, refreshes and lateness by second"),
            .liveLog, .strict, .verdictAlone, .noColor,
        ],
        example: "squall drive quick --target http://127.0.0.1:8080 --users 50 --for 2m",
        perform: { try DriveCommand(invocation: $0).perform() })
}

/// Lets a profile's users speak with a real server, keeps the results and prints the summary.
struct DriveCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let file = try file(arguments.operands[0])
        let loaded = try overridden(profile(in: file))
        if let parts = invocation.parts { return try merge(parts.folders, of: loaded, file) }
        let shard = try shard()
        try shard.map { try check($0, loaded.profile) }
        let setup = try setup(for: loaded.profile, shard)
        let others = [arguments.text("--accounts"), certificates].compactMap { $0 }
        try checkExports(inputs: inputs(of: loaded, file) + others.map(console.file))
        let baselines = try baselines(of: [file.name])
        let driver = try driver(setup)
        let log = try outputFile("--log").map { try LiveAccessLog($0, epoch: setup.epoch) }
        announce(setup, loaded.profile, file.name)
        try showLive { port throws(SocketServer.Problem) in try driver.showLive(on: port) }
        return try keeping(resultsOf: file.name) { folder in
            let started = (date: console.date, elapsed: console.elapsedNanoseconds)
            let began = Date.now.timeIntervalSince1970
            let result = try drive(loaded.profile, file, driver, log)
            let logged = BesideFile { try log?.close() }
            if let shard, result.summary.verdict != .partial {
                return end(result, shard, of: loaded, file, began: began, beside: [logged])
            }
            let manifest = manifest(ofRequests: result.requests, since: started)
            return end(
                with: exitCode(of: result.summary.verdict),
                keeping: { try folder.keep(result, manifest, loaded) },
                beside: [logged] + exports([result.summary], [], since: baselines)
            ) { _ in
                print(result.summary)
                for found in result.summary.generator?.unexpected ?? [] {
                    tell("note: \(found.headline). \(found.detail)")
                }
            }
        }
    }

    private func drive(
        _ profile: Profile, _ file: ProfileFile, _ driver: ServerDriver, _ log: LiveAccessLog?
    ) throws -> RunResult {
        var line = StatusLine(console: console, isQuiet: isQuiet, logEvery: 10 * Span.second)
        defer { line.clear() }
        var options = LoadRun.Options(replayCommand: replayCommand)
        options.driver = driver
        options.isStopped = isStopped
        options.serverLog = log.map { log in { log.append($0) } }
        let result = try tool.runner.run(profile, named: file.name, options) { progress in
            line.show { _ in driver.progress.text(of: progress) }
            return interruption.isRequested ? .stop : .continue
        }
        if let (reason, isUntrusted) = driver.unreachable {
            let way =
                isUntrusted
                ? "--ca-file FILE trusts a certificate of your own"
                : "is the server running, and is the address right?"
            throw CommandFailure.inputOutput("\(reason); \(way)")
        }
        if let reason = driver.fruitlessSignIns() { throw CommandFailure.invalid(reason) }
        return result
    }

    /// A driver of the target.
    private func driver(_ setup: DriveSetup) throws -> ServerDriver {
        let clock = ServerDriver.Clock(elapsed: { RealClock.nanoseconds }) {
            ProcessUsage.processorNanoseconds
        }
        return try connecting { try setup.driver(clock: clock) }
    }
}

/// The checks of what it is allowed to do.
extension DriveCommand {
    private static let usual = DriveLimits()
    fileprivate static let limits: [FieldOption<DriveLimits>] = [
        FieldOption(
            "--max-rate", .count(1...1_000_000), \.requestsPerSecond,
            "Maximum requests per second; \(usual.requestsPerSecond) by default. Others wait,"
                + " and the verdict says so."),
        FieldOption(
            "--max-users", .count(Profile.usersRange), \.users,
            "Maximum number of users; \(usual.users) by default. A profile with more is"
                + " refused."),
        FieldOption(
            "--max-time", .duration(Span.second...Span.day), \.nanoseconds,
            "Maximum duration of the load; \(Units.exact(nanoseconds: usual.nanoseconds)) by"
                + " default. A longer profile is refused."),
    ]

    private func setup(for profile: Profile, _ shard: ShardPart?) throws -> DriveSetup {
        let target = try target()
        var setup = DriveSetup(
            target, origin: try origin(of: profile), epoch: presentEpoch)
        setup.client = try client()
        setup.limits = try arguments.setting(Self.limits, of: setup.limits)
        guard profile.users <= setup.limits.users else {
            let (users, limit) = (Units.grouped(profile.users), setup.limits.users)
            throw CommandFailure.usage(
                "the profile has \(users) users, and at most \(Units.grouped(limit)) are allowed;"
                    + " give --users \(limit), or a higher --max-users")
        }
        let span = profile.durationNanoseconds
        guard span <= setup.limits.nanoseconds else {
            let limit = Units.exact(nanoseconds: setup.limits.nanoseconds)
            throw CommandFailure.usage(
                "the profile lasts \(Units.exact(nanoseconds: span)) of real time, and at most"
                    + " \(limit) are allowed; give --for \(limit), or a longer --max-time")
        }
        // What takes longer than the load cannot be measured in it.
        setup.responseNanoseconds = min(setup.responseNanoseconds, max(span, 10 * Span.second))
        setup.accounts = try accounts(for: profile)
        setup.expected = expected(of: profile, at: setup.origin)
        if let shard {
            setup.share = UserShare(index: shard.index, of: shard.count)
            // The server gets no more of all parts together than of one generator.
            setup.limits.requestsPerSecond /= Int64(shard.count)
            guard setup.limits.requestsPerSecond > 0 else {
                throw CommandFailure.usage(
                    "--shard \(shard.index)/\(shard.count) leaves each part less than a request a"
                        + " second; give a --max-rate of \(shard.count) or more, or fewer parts")
            }
        }
        return setup
    }

    /// What the profile says of the responses of the service on an origin.
    private func expected(of profile: Profile, at origin: String) -> ExpectedResponses {
        let services = ServicesPlan(profile)
        var expected = ExpectedResponses()
        expected.form = ServiceKind.tokenService(at: origin, by: services)?.form
        expected.place =
            services.declared.isDeclared ? "backend.service." : "the TokenService's form."
        let names = Set(profile.populations.map(\.app))
        expected.decoded = profile.declaredPlans.filter { names.contains($0.name) }
            .map(\.decoded).reduce([:]) { $0.merging($1) { $0 ?? $1 } }
        return expected
    }

    private func target() throws -> DriveTarget {
        guard let text = arguments.text("--target") else {
            throw CommandFailure.usage(
                "drive needs the address of a server, such as --target http://127.0.0.1:8080;"
                    + " squall serve starts one to try")
        }
        return try target(text, called: "--target")
    }

    /// The one origin that the profile's apps call.
    private func origin(of profile: Profile) throws -> String {
        let apps = profile.populations.compactMap { profile.app(named: $0.app) }
        let origins = Set(apps.map(\.origin)).sorted()
        guard let origin = origins.first, origins.count == 1 else {
            throw CommandFailure.usage(
                "the profile's apps call \(origins.joined(separator: " and ")), and --target is one"
                    + " server; choose with --population")
        }
        return origin
    }

    private func accounts(for profile: Profile) throws -> [UserAccount] {
        guard let path = arguments.text("--accounts") else { return [] }
        let accounts = try accounts(in: path)
        guard !accounts.isEmpty else {
            throw CommandFailure.usage("--accounts \(path) has no account: write one a line")
        }
        guard accounts.count >= profile.users else {
            throw CommandFailure.usage(
                "--accounts has \(Units.counted(Int64(accounts.count), "account")) and the profile"
                    + " \(Units.grouped(profile.users)) users; give --users \(accounts.count)")
        }
        return accounts
    }

    private func users(_ setup: DriveSetup, _ profile: Profile) -> String {
        let (share, all) = (setup.share, Units.counted(profile.users, "user"))
        guard share != .all else { return all }
        let own = Units.grouped(Int64(share.count(below: Int(profile.users))))
        return "\(own) of \(all), part \(share.index) of \(share.count)"
    }

    /// OAuth 2.0's client, which needs a secret here: a name alone stands in the profile.
    private func client() throws -> ClientCredentials? {
        let client = try client(usually: .basic)
        guard client == nil, let name = arguments.text(Option.clientName.name) else {
            return client
        }
        throw CommandFailure.usage(
            "--client-id needs the client's secret in the environment variable"
                + " SQUALL_CLIENT_SECRET; a client without one stands in the profile, as"
                + " \"fields\": [\"client_id=\(name)\"] of logIn and refresh")
    }

    /// Says what will be sent where, before anything is.
    private func announce(_ setup: DriveSetup, _ profile: Profile, _ name: String) {
        let limits = setup.limits
        let lines =
            [
                "Driving \(place(of: setup.target)) with \(name) in real time; Ctrl-C stops it and"
                    + " prints the result.",
                "Limits: \(users(setup, profile)) (at most"
                    + " \(Units.grouped(limits.users))),"
                    + " \(Units.grouped(limits.requestsPerSecond)) requests/s,"
                    + " \(Units.exact(nanoseconds: profile.durationNanoseconds)) (at most"
                    + " \(Units.exact(nanoseconds: limits.nanoseconds))), then up to"
                    + " \(Units.exact(nanoseconds: profile.drainNanoseconds)) for steps under way.",
            ] + profile.drivenNotes.map { "note: \($0)" }
        console.write(lines.lines, to: .error)
    }
}

extension DriveProgress {
    /// The progress in a line, the most important first.
    fileprivate func text(of run: RunProgress) -> String {
        let parts = [
            "\(Units.approximate(nanoseconds: run.virtualNanoseconds / Span.second * Span.second))"
                + " of \(Units.exact(nanoseconds: run.totalNanoseconds))",
            "\(Units.grouped(perSecond)) requests/s",
            "p95 \(Units.approximate(nanoseconds: p95Nanoseconds))",
            "\(Units.grouped(failures)) failed", "\(Units.grouped(refreshes)) refreshes",
            "late \(Units.approximate(nanoseconds: lateNanoseconds))",
            "\(Units.approximate(count: run.usersActive)) users",
            Units.counted(connections, "connection"),
        ]
        return parts.joined(separator: " · ")
    }
}
