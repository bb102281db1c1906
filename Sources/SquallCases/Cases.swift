public import SquallApps
public import SquallServices

/// Worked cases: four apps as they were built, the server that they share, and a client that has
/// one known fault per design.
///
/// **Start here** to read this module: it uses what any executable has, and is read like one's own.
/// `Apps/` sees the client alone, as code under test must; `Server/` is what responds to it.
public enum Cases {
    /// The apps, in the order in which lists show them, and the specimen.
    public static let apps: [any RegisteredApp.Type] = [
        Scrolly.self, ThisBookThatBook.self, ShareD.self, OOTD.self, Specimen.self,
    ]
    /// The apps' own server, and the search beside it.
    public static let services: [ServiceKind] = [.contract, .catalogue]
}
