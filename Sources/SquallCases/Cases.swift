public import SquallApps
public import SquallServices

/// Worked cases: four apps as they were built, and the server that they share.
///
/// **Start here** to read this module: it uses what any executable has, and is read like one's own.
/// `Apps/` sees the client alone, as code under test must; `Server/` is what responds to it.
public enum Cases {
    /// The apps, in the order in which lists show them.
    public static let apps: [any RegisteredApp.Type] = [
        Scrolly.self, ThisBookThatBook.self, ShareD.self, OOTD.self,
    ]
    /// The apps' own server, and the search beside it.
    public static let services: [ServiceKind] = [.contract, .catalogue]
}
