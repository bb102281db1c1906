public import Foundation
public import SquallFormat
public import SquallLab
public import SquallRaces

/// A finding as it is saved: all that is needed to replay it, and what to expect.
public struct FindingFile: Codable, Sendable {
    /// Version of this format.
    public var schemaVersion = 1
    /// The build that found it; a schedule is only valid for its build.
    public let build: String
    /// The invariant's identifier.
    public let invariant: String
    /// The invariant's promise in a sentence.
    public let claim: String
    /// The broken promise in a sentence.
    public let text: String
    /// The kind of cause.
    public let cause: String
    /// The seed of the exploration.
    public let seed: UInt64
    /// How much later than due an event may happen, in nanoseconds.
    public let windowNanoseconds: Int64
    /// The choices, each an index into what could run: 0 is first in, first out.
    public internal(set) var choices: [UInt16]
    /// How many of them are not 0.
    public let departures: Int
    /// The 1-based number of the first schedule that showed it.
    public let schedule: Int
    /// How many schedules showed it.
    public let count: Int
    /// The order of events that the finding needs; empty where it needs none.
    public let orderThatMatters: String
    /// The scenario.
    public let scenario: SavedScenario
    /// A hash of everything that happened.
    public let digest: String
    /// The events, as text for people.
    public let timeline: [String]
    /// The events in the first in, first out schedule.
    public let fifoTimeline: [String]

    /// Makes the file of a finding; `nil` when only a program can play it.
    public init?(_ finding: Finding, seed: UInt64, build: String) {
        guard let scenario = (finding.subject as? RaceScenario)?.saved, !scenario.text.isEmpty
        else { return nil }
        let invariant = RaceInvariant.named(finding.violation.invariant)
        self.build = build
        self.invariant = finding.violation.invariant
        claim = invariant?.claim ?? ""
        text = finding.violation.text
        cause = finding.violation.cause
        self.seed = seed
        windowNanoseconds = finding.windowNanoseconds
        choices = finding.choices
        departures = finding.departures
        schedule = finding.schedule
        count = finding.count
        orderThatMatters = finding.orderThatMatters ?? ""
        self.scenario = scenario
        digest = finding.played.digest.hexadecimal
        let plain = TerminalStyle(isOn: false)
        timeline =
            TimelineText(
                Timeline(finding.played, of: finding.violation), style: plain
            ).lines
        fifoTimeline = TimelineText(Timeline(finding.twin, of: nil), style: plain).lines
    }

    /// Reads a file.
    ///
    /// - Throws: the line and the fault there.
    public static func read(_ data: Data) throws(FileSyntaxError) -> FindingFile {
        try Checksummed<FindingFile>.read(data)
    }
}
