import Synchronization

/// The apps that the executable was given, besides those that a profile declares itself.
public enum AppRegistry {
    /// The apps in the order in which they were given.
    public static var all: [AppDescription] { added.withLock { $0 } }
    /// The name that examples use.
    public static var example: String { all.first?.name ?? "mine" }

    /// Adds apps, before the list is first read.
    ///
    /// - Precondition: no app has their names yet.
    public static func add(_ apps: [AppDescription]) {
        for app in apps {
            precondition(self.app(named: app.name) == nil, "there is an app '\(app.name)' already")
            added.withLock { $0.append(app) }
        }
    }

    // Apps that an executable adds, once, before the tool begins.
    private static let added = Mutex<[AppDescription]>([])

    /// The app of a name.
    public static func app(named name: String) -> AppDescription? {
        all.first { $0.name == name }
    }
}

/// An app that a tool can be given, whatever it is built on.
public protocol RegisteredApp: SendableMetatype {
    /// The app without its type, as profiles and load drivers know it.
    static var listing: AppDescription { get }
}

/// An app without its type, as profiles and load drivers know it.
public struct AppDescription: Sendable {
    /// The name by which profiles ask for the app.
    public let name: String
    /// What the app is, in one sentence.
    public let about: String
    /// The token designs it comes in.
    public let designs: [String]
    /// The designs of public clients that it can be given too; tables of its designs leave them
    /// out.
    public internal(set) var presets: [String] = []
    /// The ways through the app that profiles give weights.
    public let journeys: [JourneyDescription]
    /// The origin of the server that keeps its accounts; empty for the first server.
    public let origin: String
    /// The kinds of call it makes, by which drills choose one of each.
    public let callKinds: [CallKind]
    /// True if it uses the system's queues, locks and sessions, which its world must then provide.
    public var usesSystem = false
    /// The stories of its designs, in the order in which they came.
    public private(set) var stories: [DesignStory] = []
    /// True if its users share no object.
    public private(set) var isolatesUsers = true
    /// Puts the app on a device.
    public let install: @Sendable (Device, _ design: String) -> any InstalledApp

    /// True for a design that it comes in or can be given.
    public func has(design: String) -> Bool { (designs + presets).contains(design) }
}

extension AppDescription {
    /// An app by its type, whichever package it lives in.
    public init<App: MobileApp>(_ app: App.Type) {
        name = App.name
        about = App.about
        designs = App.designs
        origin = App.origin
        callKinds = App.callKinds
        (stories, isolatesUsers) = (App.stories, App.isolatesUsers)
        journeys = App.journeys.map(\.description)
        install = { App(device: $0, design: $1) }
    }
}

/// A journey without its code.
public struct JourneyDescription: Sendable, Hashable {
    /// The name by which profiles give it a weight.
    public let name: String
    /// What the user does, in one sentence.
    public let about: String
    /// The goal that it serves; `nil` when any of its steps will do.
    public let goal: Goal?
    /// How a visit begins: with a start of the app, or on the screen that was left.
    public let launch: Launch
    /// The steps in order.
    public let steps: [StepDescription]
}

/// A step without its code.
public struct StepDescription: Sendable, Hashable {
    /// The name under which it is measured; the same action has the same name in every journey.
    public let name: String
    /// How likely it is that a user on the journey takes it, 0…1.
    public let probability: Double
    /// True if the app goes on to the next step by itself, without a pause, when this one succeeds.
    public let leadsOn: Bool
    /// The visits that have such a step.
    public let condition: StepCondition
    /// How long the app waits in it whatever the server does, in nanoseconds, as for a splash: no
    /// part of the step's duration.
    public let scriptedNanoseconds: Int64
    /// True if it reads a list to its end, with as many calls as the list has pages.
    public let readsToEnd: Bool
    /// True if the user signs out by it, or closes the account.
    public private(set) var leaves: Bool
    /// True if the user has the app refresh its token by it.
    public let renews: Bool
    /// How many calls it makes at most, where a profile declares it.
    public var calls: Int?

    /// A step from its parts.
    public init(
        name: String, probability: Double, leadsOn: Bool, condition: StepCondition,
        scriptedNanoseconds: Int64 = 0, readsToEnd: Bool = false, leaves: Bool = false,
        renews: Bool = false
    ) {
        self.leaves = leaves
        self.renews = renews
        self.readsToEnd = readsToEnd
        self.scriptedNanoseconds = scriptedNanoseconds
        self.name = name
        self.probability = probability
        self.leadsOn = leadsOn
        self.condition = condition
    }

    /// A step like it by which the user signs out.
    public var leaving: StepDescription {
        var step = self
        step.leaves = true
        return step
    }
}
