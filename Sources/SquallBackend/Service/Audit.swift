public import SquallKernel

/// Compares what users see and remember with a service's state, when nothing runs any more.
///
/// An audit only looks. What it finds is filed under the user's population, by kind.
public protocol Audit {
    /// What is wrong independently of users' screens.
    func findings() -> [AuditFinding]

    /// What is wrong on a user's screen.
    func findings(on screen: UserScreen) -> [AuditFinding]

    /// Other things worth counting, of what happened from a moment on.
    func tallies(since start: Instant) -> [AuditTally]
}

extension Audit {
    /// None: the state alone can show nothing wrong.
    public func findings() -> [AuditFinding] { [] }

    /// None: screens are not checked.
    public func findings(on screen: UserScreen) -> [AuditFinding] { [] }

    /// None: nothing else is counted.
    public func tallies(since start: Instant) -> [AuditTally] { [] }
}

/// Something that is wrong although no call failed.
public struct AuditFinding: Hashable, Sendable {
    /// The kind of finding.
    public let kind: AuditKind
    /// The user it concerns.
    public let user: Int
    /// How often it was found.
    public let count: Int
    /// What it is about, for people; `nil` when the user says it all.
    public let thing: String?

    /// A finding of its parts.
    public init(_ kind: AuditKind, user: Int, count: Int = 1, about thing: String? = nil) {
        self.kind = kind
        self.user = user
        self.count = count
        self.thing = thing
    }
}

/// Something that ended in some way for users, and how often.
public struct AuditTally: Hashable, Sendable {
    /// The name of the metric that counts it.
    public let metric: String
    /// How it ended.
    public let status: String
    /// The users for whom it did; a user stands there once for each time.
    public let users: [Int]

    /// A tally of its parts.
    public init(metric: String, status: String, users: [Int]) {
        self.metric = metric
        self.status = status
        self.users = users
    }
}

/// What one user's copy of an app shows, and what the user remembers to have done.
public struct UserScreen: Sendable {
    /// The user whose screen it is.
    public let user: Int
    /// True if the app treats the user as signed in, whatever the server knows.
    public let isSignedIn: Bool
    /// What the user has switched on or off.
    public let switches: [Switch]
    /// The lists on the app's screens.
    public let lists: [List]

    /// A screen of its parts.
    public init(user: Int, isSignedIn: Bool, switches: [Switch], lists: [List]) {
        self.user = user
        self.isSignedIn = isSignedIn
        self.switches = switches
        self.lists = lists
    }

    /// Something that a user has switched on or off, such as a heart.
    public struct Switch: Hashable, Sendable {
        /// The identifier of the object that it belongs to.
        public let object: String
        /// True for the second switch of an object that has two.
        public let isSecond: Bool
        /// True if the user meant it to be on.
        public let isOn: Bool

        /// A switch of its parts.
        public init(of object: String, isSecond: Bool, isOn: Bool) {
            self.object = object
            self.isSecond = isSecond
            self.isOn = isOn
        }
    }

    /// A list as a screen shows it.
    public struct List: Hashable, Sendable {
        /// The kind of objects that it is of.
        public let kind: String
        /// Their identifiers, from the first row on.
        public let objects: [String]

        /// A list of its parts.
        public init(of kind: String, _ objects: [String]) {
            self.kind = kind
            self.objects = objects
        }
    }
}

/// A kind of thing that an ``Audit`` finds, in the words that results use for it.
public struct AuditKind: Hashable, Sendable {
    /// What it is called, without dynamic parts: `list.repeated`.
    public let name: String
    /// One of them, as a sentence counts it: `purchase paid for twice`.
    public let one: String
    /// Several of them: `purchases paid for twice`.
    public let many: String
    /// What the audit compares with what, in a sentence.
    public let meaning: String
    /// The promise that explorations judge by it.
    public let concern: Concern
    /// The fix of the client, in a sentence; `nil` for the promise's own.
    public let fix: String?

    /// What a finding is about.
    public enum Concern: Hashable, Sendable {
        /// A screen, or what the server holds, differs from what the user did.
        case screen
        /// A list has an item twice, or a gap.
        case list
        /// Something was paid for twice.
        case doublePayment
    }

    /// A kind with its words.
    public init(
        _ name: String, one: String, many: String, meaning: String, concern: Concern = .screen,
        fix: String? = nil
    ) {
        (self.name, self.one, self.many, self.meaning) = (name, one, many, meaning)
        (self.concern, self.fix) = (concern, fix)
    }
}
