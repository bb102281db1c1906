import CSteppedTime
import SquallFormat
import SquallSockets

/// The time of some processes, which moves when every thread of theirs rests.
///
/// A live server's own simulation lives in it as well: to ``RealTimeDriver`` it is a clock like any
/// other, which stands while something runs and otherwise goes to whatever comes first.
public final class SteppedTime {
    private let world: OpaquePointer
    /// True if nothing of the world ran at the last look, and nothing can have begun since.
    private var rests = false
    private var sent: UInt64 = 0
    /// The reason for which it goes no further; `nil` while it does.
    public private(set) var standstill: Standstill?
    private var stillSince: Int64?

    /// A reason for which time stands still.
    public enum Standstill: Hashable, Sendable {
        /// Nothing will ever happen; a line on each thread says what it waits for.
        case eachWaits(String)
        /// There are more processes than can be looked at.
        case tooManyProcesses
    }

    /// The system cannot step time.
    public struct Problem: Error, Hashable, Sendable {
        /// The reason, as the end of a sentence.
        public let reason: String
    }

    /// The real time in which it is made sure that nothing will ever happen.
    private static let doubtNanoseconds: Int64 = 500_000_000
    private static let never = Int64.max

    /// A world without processes, at its beginning; `library` is the file that they load, and the
    /// seed decides the order of what is due at one instant and their random numbers.
    ///
    /// - Throws: ``Problem``.
    public init(
        dayNanosecondsSince1970 day: Int64, seed: UInt64, library: String
    ) throws(Problem) {
        var problem: UnsafePointer<CChar>?
        guard let world = squall_stepped_create(day, seed, library, &problem) else {
            throw Problem(reason: problem.map { String(cString: $0) } ?? "out of memory")
        }
        self.world = world
        squall_stepped_adopt()
    }

    deinit { squall_stepped_free(world) }

    /// The environment that a process needs to live in it.
    public func environment(beside given: [String: String]) -> [String: String] {
        let library = String(cString: squall_stepped_library(world))
        let others = given["LD_PRELOAD"].flatMap { $0.isEmpty ? nil : ":" + $0 } ?? ""
        return [
            "LD_PRELOAD": library + others,
            "SQUALL_WORLD": String(cString: squall_stepped_file(world)),
        ]
    }

    /// The folder of files that its processes load, which is gone with this value.
    public var folder: String {
        let file = String(cString: squall_stepped_file(world))
        return String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
    }

    /// A process that was started belongs to it.
    public func add(_ process: Int32) {
        squall_stepped_add(world, process)
        (rests, standstill, stillSince) = (false, nil, nil)
    }

    /// Ends all of its processes.
    public func endProcesses() { squall_stepped_end(world) }

    /// The elapsed time.
    public var nanoseconds: Int64 { squall_stepped_now(world) }

    /// Sets how far the clock of the day is ahead in its processes.
    public func setDay(aheadByNanoseconds span: Int64) {
        squall_stepped_set_day_ahead(world, span)
    }

    /// Comes back when sockets are ready, or when a moment has come, or the caller says that all is
    /// over; it also says whether anything up to that moment concerns the processes.
    func wait(
        until due: Int64, awaits: Bool, for sockets: SocketServer, isOver: () -> Bool
    ) {
        while !sockets.poll(), !isOver() {
            if squall_stepped_is_full(world) != 0 {
                standstill = .tooManyProcesses
                return
            }
            if sockets.actions != sent { (rests, sent) = (false, sockets.actions) }
            if !rests, squall_stepped_rests(world) != 0 {
                rests = true
                // What was sent before the last thread rested came after the look at the sockets.
                continue
            }
            guard rests else {
                stillSince = nil
                if squall_stepped_follow(world) != 0 { return }
                squall_stepped_pause(world)
                continue
            }
            guard squall_stepped_wake(world) == 0 else {
                rests = false
                continue
            }
            let earliest = squall_stepped_earliest(world)
            if earliest == Self.never, !awaits {
                if stand() { return }
                continue
            }
            stillSince = nil
            squall_stepped_move(world, min(due, earliest))
            // The simulation's own events of an instant come before what processes do in it.
            if due <= earliest { return }
        }
    }

    /// Makes sure for a moment of real time that nothing is due, in which programs outside may do
    /// something; returns whether it is certain.
    private func stand() -> Bool {
        rests = false
        let told = squall_stepped_told(world)
        if told.outsiders > 0 || told.connections > 0 {
            squall_stepped_idle(world)
            return false
        }
        let now = squall_stepped_real()
        let since = stillSince ?? now
        stillSince = since
        guard now - since >= Self.doubtNanoseconds else {
            squall_stepped_pause(world)
            return false
        }
        standstill = .eachWaits(String(cString: squall_stepped_waits(world)))
        return true
    }

    /// The figures so far.
    public var report: Report { Report(squall_stepped_told(world), nanoseconds) }
}

extension SteppedTime.Standstill {
    /// The reason as a sentence without its first capital.
    var sentence: String {
        switch self {
        case .eachWaits: "nothing would ever have happened: each thread waits"
        case .tooManyProcesses: "more than 1 024 processes lived at once, and all were ended"
        }
    }

    /// A line on each thread.
    var waits: String {
        if case .eachWaits(let lines) = self { lines } else { "" }
    }
}

extension SteppedTime {
    /// The figures of a session in stepped time.
    public struct Report: Sendable {
        /// The elapsed time, and how much of it followed real time, in nanoseconds.
        public let nanoseconds, followedNanoseconds: Int64
        /// Moves of the clock.
        public let moves: Int64
        /// The most processes and threads at once.
        public let processes, threads: Int
        /// What was not in stepped time, a sentence each.
        public let notVirtual: [String]

        init(_ told: squall_stepped_tally, _ nanoseconds: Int64) {
            self.nanoseconds = nanoseconds
            followedNanoseconds = told.followed
            moves = told.moves
            (processes, threads) = (Int(told.processes), Int(told.threads))
            var sentences: [String] = []
            if told.followed > 0 {
                sentences.append(
                    "The clock followed real time for"
                        + " \(Units.approximate(nanoseconds: told.followed)), because"
                        + " \(Self.text(told.restless, otherwise: "a program outside")) did not"
                        + " rest.")
            }
            if told.outsiders > 0 {
                sentences.append(
                    "\(Units.counted(Int(told.outsiders), "process")) did not load the library and"
                        + " lived in real time; the first was \(Self.text(told.outsider)).")
            }
            if told.connections > 0 {
                sentences.append(
                    "\(Units.counted(Int(told.connections), "connection")) led to other machines,"
                        + " whose time is real; the first to \(Self.text(told.connection)).")
            }
            notVirtual = sentences
        }

        func json(standstill: Standstill?) -> JSON {
            [
                "seconds": .number(Double(nanoseconds) / 1e9), "moves": .integer(moves),
                "secondsOfRealTime": .number(Double(followedNanoseconds) / 1e9),
                "notVirtual": .array(notVirtual.map(JSON.string)),
                "standstill": .optional(standstill) {
                    .string($0.waits.isEmpty ? $0.sentence : $0.waits)
                },
            ]
        }

        private static func text(
            _ text: UnsafePointer<CChar>?, otherwise: String = ""
        ) -> String {
            let text = text.map { String(cString: $0) } ?? ""
            return text.isEmpty ? otherwise : text
        }
    }

    /// The reason for which a program cannot live in stepped time, as the end of a sentence that
    /// begins with its file, and the program that it names as the one that reads it, as a script
    /// does.
    public static func unfitness(of file: String) -> (reason: String?, next: String?) {
        var next = [CChar](repeating: 0, count: 256)
        let reason = squall_stepped_unfit(file, &next, Int32(next.count))
        let name = String(
            decoding: next.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (reason.map { String(cString: $0) }, name.isEmpty ? nil : name)
    }
}
