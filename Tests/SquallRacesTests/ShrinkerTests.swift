import Testing

@testable import SquallRaces

@Suite("Shrinking")
struct ShrinkerTests {}
