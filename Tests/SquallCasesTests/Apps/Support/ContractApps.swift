import SquallApps
@testable import SquallCases

extension AppRegistry {
    /// The apps whose accounts are with the server of the contract, which `ScriptedServer` plays.
    static let ofContract = all.filter { [LSLP.origin2024, LSLP.origin2023].contains($0.origin) }
}
