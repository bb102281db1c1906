import SquallApps
import SquallBackend
import SquallKernel
public import SquallReport

extension Profile {
    /// The profile without the settings that only a simulated network, server or mint has.
    var driven: Profile {
        var profile = signingIn
        profile.backend.network.carryOnly()
        profile.backend.server.userRate = nil
        profile.backend.server.keyRate = nil
        if warmUp == .mser5 { profile.warmUp = .none }
        profile.expectations = expectations.filter(\.isObservable)
        profile.assumed = assumed.filter { !$0.path.hasPrefix("backend.") }
        return profile
    }

    /// The profile as a simulation runs it to be compared with a driven run: with the profile's own
    /// network and server, but users who bring no tokens along, and no faults.
    public func besideDriven(_ run: RunSummary) -> Profile {
        var profile = signingIn
        profile.durationNanoseconds = run.measuredUntilNanoseconds
        profile.warmUp = .first(nanoseconds: run.measuredFromNanoseconds)
        profile.expectations = []
        guard run.users != users, run.users >= populations.count else { return profile }
        return profile.scaled(toUsers: run.users)
    }

    /// Without faults, and without tokens that the server has not issued: every user signs in
    /// first.
    private var signingIn: Profile {
        var profile = self
        for index in populations.indices {
            profile.populations[index].startsSignedIn = false
            profile.populations[index].initialTokens = .fresh
            profile.populations[index].tokenLife = nil
        }
        profile.backend.faults = []
        return profile
    }

    /// The expectations that only a simulated server can be judged by.
    var unobservable: [String] {
        expectations.filter { !$0.isObservable }.map { "\($0.metric) \($0.expression)" }
    }

    private var hasPayments: Bool {
        populations.contains { population in
            app(named: population.app)?.journeys.contains { journey in
                journey.goal?.isPayment == true
                    && population.journeys.contains { $0.journey == journey.name }
            } ?? false
        }
    }

    /// The differences between a driven run of the profile and a simulated one, in sentences.
    public var drivenNotes: [String] {
        [
            populations.contains(where: \.startsSignedIn)
                ? "Users sign in on arrival: this server does not know the initial tokens of the"
                    + " profile." : nil,
            backend.faults.isEmpty
                ? nil
                : "None of the profile's faults happens: only a simulated server has them.",
            hasPayments
                ? "Payments fail: the provider's page is simulated, and the server does not know"
                    + " its receipts." : nil,
            warmUp == .mser5
                ? "Everything is measured: a warm-up by MSER-5 needs a pilot run." : nil,
            GeneratorView.unjudged(unobservable),
        ].compactMap(\.self)
    }
}

extension Profile.Expectation {
    /// Metrics that only a simulated server has: of its inside, or of audits of its data.
    private static let ofServer: Set<Metric> = [
        .serverWait, .serverQueue, .workersBusy, .databaseWait, .payments, .auditFindings, .pages,
        .items, .pageDuration, .itemsMissed, .itemsRepeated, .itemsPerSecond,
    ]

    /// True for a finding that users notice.
    fileprivate var isObservable: Bool {
        guard let threshold = try? threshold() else { return true }
        return !Self.ofServer.contains(threshold.selection.metric)
    }
}

extension NetworkPlan {
    /// Adds nothing to what a real network does; connections and time-outs stay the client's.
    fileprivate mutating func carryOnly() {
        (up, down) = (.constant(nanoseconds: 0), .constant(nanoseconds: 0))
        (bandwidthBytesPerSecond, uploadBytesPerSecond, connections) = (nil, nil, nil)
        classes = []
        (connectFailureProbability, requestLossProbability, answerLossProbability) = (0, 0, 0)
    }
}
