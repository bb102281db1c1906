import SquallClient
import SquallHTTP
import SquallKernel

/// Virtual time stood still; names the users with activity then, for a run of such an app.
public struct StandstillError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kernel's error.
    let cause: SimulationError
    /// The active users, the busiest first.
    let suspects: [String]

    /// The moment and the active users, and the way out, in words.
    public var description: String {
        ([cause.description] + suspects).joined(separator: "\n")
    }
}

extension World {
    /// Runs code that moves time, and names the active users when time stands still.
    ///
    /// - Throws: what the code throws; `StandstillError` in place of `SimulationError.noProgress`.
    func naming<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as SimulationError {
            guard case .noProgress = error else { throw error }
            throw StandstillError(cause: error, suspects: suspects())
        }
    }

    /// Runs the world a little further and notes the users with requests that end meanwhile.
    private func suspects() -> [String] {
        var seen: [UInt64: Spin] = [:]
        recorder.onRequest = { seen[$0.session.user, default: Spin(first: $0)].note($0) }
        defer { recorder.onRequest = nil }
        _ = endInstant(looksMax: 5)
        let busiest = seen.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        guard !busiest.isEmpty else { return runningSteps }
        return busiest.prefix(Self.suspectsMax).map { user, spin in spin.text(of: user) }
    }

    /// Lets the present instant end, but gives up after this many looks; `nil` where time stands
    /// still.
    func endInstant(looksMax: Int) -> Simulation.Pause? {
        var looks = 0
        simulation.checkpoint = { [simulation] in
            looks += 1
            if looks == looksMax { simulation.stop() }
        }
        defer { simulation.checkpoint = nil }
        return try? simulation.run(until: simulation.now)
    }

    /// The users with running steps, when no requests tell more.
    private var runningSteps: [String] {
        let running = recorder.openSteps.lazy.enumerated().compactMap { [recorder] user, step in
            step.map { open in
                let step = recorder.run.steps[open.number]
                return "user \(user) is in the step \(step.step) of \(step.population.app)'s"
                    + " \(step.journey)"
            }
        }
        return ["No request ends meanwhile: the loop is in an app's own code."]
            + running.prefix(Self.suspectsMax)
    }

    private static let suspectsMax = 3
}

/// The requests of one user that end while time stands still.
private struct Spin {
    let first: UInt32
    var count = 0
    private var last: Request

    init(first request: Request) {
        first = request.number
        last = request
    }

    mutating func note(_ request: Request) {
        count += 1
        last = request
    }

    func text(of user: UInt64) -> String {
        let interceptor = last.session.interceptor.map { "\(type(of: $0))" } ?? "none"
        let call = last.request.map { "\($0.method) \($0.url.path)" } ?? "never built"
        let error = last.error.map { ", which ends with \($0.label)" } ?? ""
        return "user \(user) made \(count) requests meanwhile, numbers \(first) to"
            + " \(last.number): \(call)\(error) (interceptor of the session: \(interceptor))"
    }
}
