import SquallApps
import SquallBackend
import SquallFormat
import SquallHTTP
import SquallReport

/// The values that a tag of a metric can have, as far as they are known before a run; values that
/// the metric itself knows are checked where it is read.
///
/// An expectation of a value that never comes would hold or fail whatever the run does.
struct TagNames {
    let metric: Metric
    let tag: TagKey
    let vocabulary: ProfileVocabulary

    /// The reason for which a series can never have this value, with a suggestion; `nil` when it
    /// can.
    func problem(of value: String) -> String? {
        guard metric.values[tag] == nil, let known = known(like: value), !known.contains(value),
            !isOpen(value)
        else { return nil }
        return "no \(tag.rawValue) is called '\(value)'."
            + Spelling.hint(for: value, among: known)
            + Spelling.known(known)
    }

    private func known(like value: String) -> [String]? {
        switch tag {
        case .app: vocabulary.apps.map(\.name).sorted()
        case .design: vocabulary.designs.sorted()
        case .journey: vocabulary.journeys
        case .step: Set(vocabulary.apps.flatMap(\.journeys).flatMap(\.steps).map(\.name)).sorted()
        case .endpoint: endpoints
        case .cause: causes(like: value)
        case .status:
            ["200", "401", "404", "419", "503", "neverEnded"]
                + TransportError.Code.allCases.map { "\($0)" }
        case .depth, .paging, .part, .population: nil
        }
    }

    private var endpoints: [String] { Set(vocabulary.endpoints).sorted() }

    private func causes(like value: String) -> [String]? {
        switch metric {
        case .refreshes: Metric.causesWithoutEndpoint + endpoints
        case .auditFindings: Set(AuditKind.installed.map(\.name)).sorted()
        case .sessionsLost:
            ["no call refused"] + endpoints.map { "\($0) \(status(in: value))" }
        default: nil
        }
    }

    /// The status in a cause that names a call and what it met; 401 where it has none.
    private func status(in value: String) -> String {
        let word = String(value.split(separator: " ").last ?? "")
        let names = TagNames(metric: metric, tag: .status, vocabulary: vocabulary)
        return names.problem(of: word) == nil ? word : "401"
    }

    /// True for tags with more values than a list can hold.
    private func isOpen(_ value: String) -> Bool {
        switch tag {
        case .status: Int(value).map { (100...999).contains($0) } ?? false
        // An unknown call is named after its method and path.
        case .endpoint: value.contains(" /") || value == Endpoint.unmatchedName
        case .cause where metric == .auditFindings:
            AuditKind.installed(value) != nil
        case .cause where metric == .sessionsLost:
            value.contains(" /") || value.hasPrefix(Endpoint.unmatchedName + " ")
        default: false
        }
    }
}
