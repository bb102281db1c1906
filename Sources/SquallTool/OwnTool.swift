import CommandLineTool
@_exported public import Squall
public import SquallApps
import SquallLab
import SquallProof
public import SquallServices

/// Makes an executable the tool: every command, with apps and services of your own beside those of
/// this package, in profiles, help, schema and completion.
///
/// Where it all begins is here, what an app is stands in `SimulatedApp`.
///
/// ```swift
/// import SquallTool
///
/// SquallTool.main(apps: [MyApp.self])
/// ```
///
/// It is called once, as the first and only thing that `main.swift` does.
///
/// - Parameters:
///   - apps: apps of your own; a name may stand for one app only.
///   - services: services of your own, mounted beside those of this package in every world.
public func main(apps: [any RegisteredApp.Type] = [], services: [ServiceKind] = []) -> Never {
    let listings = apps.map { $0.listing }
    if listings.contains(where: \.usesSystem) {
        precondition(SimulatedSystem.isAvailable, WorldError.notInterposed.description)
        ClientSystems.make { LoadSystem($0, preemptions: $1) }
    }
    AppRegistry.add(listings)
    ServiceKind.add(services)
    let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    ToolProcess.run(named: program, benchmarks: Benchmark.sessions)
}
