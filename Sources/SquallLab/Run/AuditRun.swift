public import SquallApps
public import SquallBackend
import SquallKernel
import SquallReport

/// Compares users' screens with services' states when nothing runs any more, and files findings
/// under the user's population.
///
/// The services bring the audits; apps add what they know themselves.
struct AuditRun {
    let world: World

    /// Adds findings to those noted during the run.
    func complete(_ ledger: inout AuditLedger) {
        let audits = world.backend.audits
        for audit in audits { file(audit.findings(), in: &ledger) }
        for (user, state) in world.fleet.users.enumerated() where state.running == nil {
            guard let app = world.fleet.apps[user] else { continue }
            let snapshot = app.snapshot
            let screen = UserScreen(user: user, isSignedIn: !app.needsSignIn, snapshot)
            for audit in audits { file(audit.findings(on: screen), in: &ledger) }
            for (kind, count) in snapshot.findings {
                ledger.note(kind, in: world.recorder.population(of: user), count: Int64(count)) {
                    "user \(user)"
                }
            }
        }
    }

    /// Counts the endings that audits report, from a moment on.
    func count(since start: Instant, in metrics: inout Metrics) {
        for tally in world.backend.audits.flatMap({ $0.tallies(since: start) }) {
            guard let metric = MetricCatalogue.installed.metric(named: tally.metric) else {
                preconditionFailure("an audit counts \(tally.metric), which is no metric")
            }
            let status = [TagKey.status: tally.status]
            // A threshold on an ending that never came finds a zero.
            let slots = world.recorder.run.populations.map {
                metrics.counter(MetricKey(metric, $0.tags(status)))
            }
            for user in tally.users {
                metrics.add(1, ofLoadTo: slots[world.recorder.population(of: user)])
            }
        }
    }

    private func file(_ findings: [AuditFinding], in ledger: inout AuditLedger) {
        for finding in findings {
            let population = world.recorder.population(of: finding.user)
            ledger.note(finding.kind.name, in: population, count: Int64(finding.count)) {
                "user \(finding.user)" + (finding.thing.map { ", \($0)" } ?? "")
            }
        }
    }
}

extension UserScreen {
    /// A user's screen, in the form for audits.
    public init(user: Int, isSignedIn: Bool, _ snapshot: AppSnapshot) {
        self.init(
            user: user, isSignedIn: isSignedIn,
            switches: snapshot.taps.map {
                Switch(of: $0.postID, isSecond: $0.isSecond, isOn: $0.isLiked)
            },
            lists: snapshot.lists.map { List(of: $0.productID, $0.posts) })
    }
}

extension StepOutcome {
    /// The kind of error on the screen that no message shows; `nil` for none.
    var silentFault: String? {
        switch self {
        case .stale, .wrong, .missing, .lost, .stuck, .crashed, .chargedTwice: label
        case .rendered, .charged, .nothingToDo, .toast, .alert, .loggedOut: nil
        }
    }
}
