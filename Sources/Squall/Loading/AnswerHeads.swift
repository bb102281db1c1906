import Foundation
import SquallHTTP
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Heads of responses as Foundation has them, by their contents.
///
/// One takes Foundation 55,000 instructions, most of them for the type of its content, and a server
/// says the same to many. None can be changed, so that several requests may have it.
enum AnswerHeads {
    private static let kept = Mutex<[Key: SystemResponse]>([:])
    private static let keptMax = 256

    private struct Key: Hashable {
        let url: URL
        let head: SquallHTTP.HTTPURLResponse
    }

    /// The head of a response from an address; `nil` where Foundation can have none.
    static func head(_ head: SquallHTTP.HTTPURLResponse, from url: URL) -> SystemResponse? {
        let key = Key(url: url, head: head)
        if let known = kept.withLock({ $0[key] }) { return known }
        let fields = head.headers.dictionary
        let made =
            head.statusCode == 401
            ? RefusedHead(
                url: url, statusCode: 401, httpVersion: "HTTP/1.1", headerFields: fields)
            : SystemResponse(
                url: url, statusCode: head.statusCode, httpVersion: "HTTP/1.1",
                headerFields: fields)
        guard let made else { return nil }
        kept.withLock { kept in
            if kept.count >= keptMax { kept = [:] }
            kept[key] = made
        }
        return made
    }
}

/// The head of a 401.
///
/// Where its server asks for a password, Foundation on Linux waits for a credential before it ends
/// the load, and without a delegate it waits for ever. For that it needs the address of the head,
/// so there is none while Foundation is told of the end: a phone ends the load.
final class RefusedHead: SystemResponse, @unchecked Sendable {
    // Safe because it adds nothing that changes.
    @TaskLocal static var isEnding = false

    override var url: URL? { RefusedHead.isEnding ? nil : super.url }
}
