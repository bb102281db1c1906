import Foundation
import Squall

/// Drills a client of somebody else's, prints the report, and ends the process.
///
/// `DRILL_SCHEDULES` says in how many orders each drill is played; 8 otherwise. Real code breaks
/// what it breaks: what fails is a report that differs from one run to the next.
public func playDrills(
    of name: String, over service: TokenService,
    client: @escaping @Sendable (DrillDevice) throws -> DrillClient
) throws -> Never {
    let settings = ProcessInfo.processInfo.environment
    let schedules = settings["DRILL_SCHEDULES"].flatMap(Int.init) ?? 8
    let ids = settings["DRILLS"]?.split(separator: ",").map(String.init)
    let drills = ids.map { ids in Drill.all.filter { ids.contains($0.id) } } ?? Drill.all
    let start = clock()
    let report = try drill(over: service, asking: drills, schedules: schedules, client: client)
    let spent = Double(clock() - start) / 1e6
    print("\(name)\n\(report)")
    FileHandle.standardError.write(Data("\(Int(spent * 10)) tenths of a second\n".utf8))
    exit(0)
}
