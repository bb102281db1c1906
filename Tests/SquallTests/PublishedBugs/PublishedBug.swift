import Foundation
import Squall
import Testing

/// A published bug of refresh code as a small client of our own, before and after its mend.
struct PublishedBug: Sendable, CustomTestStringConvertible {
    /// Where it was published.
    let link: String
    /// What was wrong, in a few words.
    let bug: String
    /// The drill that finds it.
    let foundBy: Drill
    let client: @Sendable (DrillDevice, _ isMended: Bool) -> DrillClient

    var testDescription: String { link }

    /// Its row in the article's table.
    var row: String {
        let parts = link.split(separator: " #")
        let address = "https://github.com/\(parts[0])/issues/\(parts[1])"
        return "| [\(link)](\(address)) | \(bug) | \(foundBy.name) |"
    }

    init<Exhibit: BugClient>(
        _ link: String, _ bug: String, foundBy drill: Drill, _ exhibit: Exhibit.Type
    ) {
        self.link = link
        self.bug = bug
        foundBy = drill
        client = { device, isMended in
            let wire = TokenWire(base: device.url, session: device.session)
            let api = Exhibit(BugClientDevice(wire, device.storage, isMended: isMended))
            return DrillClient(
                signIn: { try await api.signIn($0.email, $0.password) },
                call: { try await api.call("posts") },
                otherCalls: [{ try await api.call("profile") }],
                signOut: { try await api.signOut() }, isSignedIn: { await api.isSignedIn })
        }
    }
}
