import SquallApps
import SquallCases
import SquallServices

/// Gives the worked cases to every test of the process, as the main file of `squall` does.
@_cdecl("squallTestsBegin")
func giveCases() {
    AppRegistry.add(Cases.apps.map { $0.listing })
    ServiceKind.add(Cases.services)
}
