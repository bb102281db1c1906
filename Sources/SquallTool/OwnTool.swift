import CommandLineTool
@_exported public import Squall
public import SquallApps
import SquallCases
import SquallLab
public import SquallServices

/// Makes an executable the tool: every command, with the caller's apps and services beside those of
/// this package, in profiles, help, schema and completion.
///
/// Start reading here; `SimulatedApp` says what an app is.
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
///   - apps: the caller's apps; a name may stand for one app only.
///   - services: the caller's services, mounted beside those of this package in every world.
public func main(apps: [any RegisteredApp.Type] = [], services: [ServiceKind] = []) -> Never {
    let listings = apps.map { $0.listing }
    if listings.contains(where: \.usesSystem) {
        precondition(SimulatedSystem.isAvailable, WorldError.notInterposed.description)
        ClientSystems.make { LoadSystem($0, preemptions: $1) }
    }
    let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    ToolProcess.run(
        named: program, apps: Cases.apps + apps, services: Cases.services + services)
}
