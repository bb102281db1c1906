import Foundation
import SquallBackend
import SquallFormat
import SquallKernel
import SquallLive
import SquallServices
import SquallSockets

extension Option {
    /// The options of a proxy in front of a real backend.
    static let upstream = [
        Option(
            "--upstream", .text("url"),
            "Forward requests to this real backend instead of simulating one, such as"
                + " https://staging.example.com, and judge the app."),
        .certificates,
        Option(
            "--refresh-path", .text("path"),
            "With --upstream: the path of the refresh call; detected from traffic by default."),
        Option(
            "--sign-in-path", .text("path"),
            "With --upstream: the path of the sign-in call; detected from traffic by default."),
        Option(
            "--token-header", .text("name"),
            "With --upstream: the header field of access tokens; detected from traffic by"
                + " default."),
        Option(
            "--expired-status", .count(200...499),
            "With --upstream: the status of expired responses; by default the backend's own, or"
                + " 401. Below 300 --expired-body tells them from successes."),
        Option(
            "--expired-body", .text("text"),
            "With --upstream: the body of expired responses; by default the backend's own."),
        Option(
            "--rotation", .text("rule"),
            "With --upstream: refuse a refresh token that is sent again, even if the backend"
                + " accepts it: strict (the session ends) or oneShot."),
        Option(
            "--fault", .text("json"),
            "With --upstream: a fault as in a profile, such as '{\"kind\": \"latency\","
                + " \"added\": \"2s\", \"endpoints\": [\"refresh\"]}'; may be given several times.",
            repeats: true),
    ]
}

/// A proxy in front of a real backend.
extension ServeCommand {
    func proxy(to address: String) throws -> ExitCode {
        guard arguments.operands.isEmpty else {
            throw CommandFailure.usage("--upstream serves no profile; give one or the other")
        }
        try arguments.refuse(["--speed", "--set"], "has no meaning with --upstream")
        let setup = try setup(upstream: address, presentEpoch)
        return try serve(setup, as: "upstream")
    }

    /// The setup of a proxy in front of a real backend, from a moment of the calendar on.
    func setup(upstream address: String, _ epoch: Epoch) throws -> LiveSetup {
        var plan: UpstreamPlan
        do { plan = try UpstreamPlan(address) } catch {
            throw CommandFailure.usage("--upstream \(error.text)")
        }
        plan.certificates = certificates
        plan.refreshPath = try path("--refresh-path")
        plan.signInPath = try path("--sign-in-path")
        plan.tokenHeader = try arguments.word(
            "--token-header", "the name of a header field, such as X-Auth-Token")
        plan.expiredStatus = arguments.count("--expired-status").map(Int.init)
        plan.expiredBody = arguments.text("--expired-body")
        if let status = plan.expiredStatus, status < 300, plan.expiredBody == nil {
            throw CommandFailure.usage(
                "--expired-status \(status) needs --expired-body, with the members by which an"
                    + " expired response differs from a success, such as '{\"code\": 40101}'")
        }
        plan.rotation = try arguments.value("--rotation", as: "strict or oneShot") {
            UpstreamPlan.Rotation(rawValue: $0)
        }
        plan.expireAfterNanoseconds = arguments.nanoseconds("--expire-after")
        var setup = LiveSetup(plan, seed: arguments.seed("--seed") ?? 1)
        setup.services.epoch = epoch
        try takeShared(&setup)
        setup.drills = try drillPlan()
        // Bodies are passed on as they come, so their size costs nothing.
        if !arguments.has("--max-body") { setup.limits.bodyBytes = .max }
        setup.limits = try arguments.setting(Self.limits, of: setup.limits)
        for text in arguments.texts("--fault") {
            do { setup.backend.faults += try LiveFaults.upstream.read(text) } catch {
                throw CommandFailure.usage("--fault '\(text)': \(error)")
            }
        }
        return setup
    }

    private func path(_ option: String) throws -> String? {
        guard let text = arguments.text(option) else { return nil }
        guard text.hasPrefix("/"), !text.contains(where: { "?# ".contains($0) }) else {
            throw CommandFailure.usage(
                "\(option) must be a path such as /auth/refresh, without a query, got"
                    + " '\(text.excerpt())'")
        }
        return text
    }

    /// Refuses options that only a proxy has.
    func refuseUpstreamOptions() throws {
        try arguments.refuse(Option.upstream.map(\.name), "needs --upstream")
    }

    /// Prints where it is, and what to change in the app.
    func welcome(_ plan: UpstreamPlan, _ base: String) {
        say([
            "Serving \(plan.address.origin) at \(base)",
            "Set your app's base URL to \(base)\(plan.address.path)",
            "Status and control: \(base)/_squall/ (Ctrl-C stops it and prints the verdict)",
            "Expire every access token now: curl -s -X POST \(base)/_squall/expire", "",
        ])
    }
}
