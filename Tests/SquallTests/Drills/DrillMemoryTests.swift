import Squall
import Synchronization
import Testing

@Suite("What a drill leaves behind")
struct DrillMemoryTests {
    /// What a start of an app had, as long as something keeps it.
    private struct Start: @unchecked Sendable {
        // Safe because it is only asked whether it still exists.
        weak var device: DrillDevice?
        weak var client: RightClient?
    }

    /// How many starts there were, and what is left of them.
    private func starts(
        of style: RightClient.Style, _ drills: [Drill], schedules: Int
    ) throws -> (all: Int, devices: Int, clients: Int) {
        let starts = Mutex<[Start]>([])
        _ = try drill(
            over: drilledService, asking: drills, before: [.strict], schedules: schedules
        ) { device in
            let api = RightClient(style, on: device)
            starts.withLock { $0.append(Start(device: device, client: api)) }
            return rightClient(api)
        }
        return starts.withLock { starts in
            (
                starts.count, starts.count { $0.device != nil },
                starts.count { $0.client != nil }
            )
        }
    }

    @Test(
        "No world and no client stays, however many schedules are played",
        arguments: RightClient.Style.allCases)
    func nothing(style: RightClient.Style) throws {
        // What is killed, suspended, waits for a timer or for an answer that never comes.
        let drills: [Drill] = [
            .expiredToken, .killedDuringRefresh, .suspendedInRefresh, .timerAfterSignOut,
            .refreshAnswerLost,
        ]
        let (few, many) = try (
            starts(of: style, drills, schedules: 2), starts(of: style, drills, schedules: 4)
        )
        #expect(many.all > few.all)
        #expect(few.devices == 0 && few.clients == 0, "\(few)")
        #expect(many.devices == 0 && many.clients == 0, "\(many)")
    }

    @Test("No world stays after its caller was cancelled at any instant of a request")
    func cancelled() throws {
        let left = try starts(of: .semaphore, [.callerCancels], schedules: 60)
        #expect(left.all > 60 && left.devices == 0 && left.clients == 0, "\(left)")
    }
}
