import CommandLineTool
import Foundation
import SquallFormat
import SquallProof

/// Tries subjects one after the other, in a process that any of them may kill.
///
/// It logs each subject before it starts it, so its parent knows what killed it. Where it is alone
/// in its process, the operating system limits its time and memory.
struct FuzzWorker {
    /// Processor time for one subject; more counts as a hang.
    static let secondsMax = 60
    /// The line of the log before each subject.
    static let beginning = "begin"
    /// Real time for one subject, generous for busy machines.
    private static let patienceSeconds: UInt32 = 1_800
    /// Memory for the whole process, in bytes.
    private static let bytesMax: rlim_t = 12 << 30

    let subjects: [FuzzSubject]
    let seed: UInt64
    let console: any Console
    let isAlone: Bool
    private let draw = ProfileDraw()

    /// Tries all subjects and writes the result of each to a file.
    func work(log path: String) throws {
        if isAlone { FuzzWorker.limitMemory() }
        let file = console.file(path)
        try Data().write(to: file)
        let log = try FileHandle(forWritingTo: file)
        func write(_ line: String) throws { try log.write(contentsOf: Data("\(line)\n".utf8)) }
        let folder = file.deletingLastPathComponent()
        let base = subjects.contains(where: \.isLine) ? try FuzzLineBase(in: folder).files : [:]
        let trial = FuzzLineTrial(folder: folder.appending(path: "case"), isAlone: isAlone)
        for subject in subjects {
            try write(Self.beginning)
            if isAlone { FuzzWorker.limitTime(seconds: FuzzWorker.secondsMax) }
            let verdict: FuzzLane.Verdict
            if subject.isLine {
                let line = try subject.line(seed: seed, base: base, console: console)
                let (answer, complaint) = try trial.tried(line)
                verdict = complaint.map { .ended(.failed($0)) } ?? .answered(answer)
            } else {
                let drawn = try subject.profile(of: draw, seed: seed, console: console)
                verdict = drawn.map { .ended(FuzzTrial($0, isAlone: isAlone).ending()) } ?? .undrawn
            }
            try write(JSONDocument.line(verdict))
        }
        if isAlone { FuzzWorker.limitTime(seconds: 0) }
        try log.close()
    }

    private static func limitTime(seconds: Int) {
        var timer = itimerval()
        timer.it_value.tv_sec = seconds
        #if canImport(Glibc)
            setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
        #else
            setitimer(ITIMER_PROF, &timer, nil)
        #endif
        alarm(seconds == 0 ? 0 : patienceSeconds)
    }

    private static func limitMemory() {
        var limit = rlimit()
        limit.rlim_cur = bytesMax
        limit.rlim_max = bytesMax
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        #else
            setrlimit(RLIMIT_AS, &limit)
        #endif
    }
}
