import Foundation
import SquallFormat
import SquallHTTP
import SquallLab
import SquallReport
import SquallSockets
import Testing

@testable import SquallLive

@Suite("Clients with a secret")
struct ClientSecretTests {
    private static let secret = "s3cret/with &signs"
    private static let client = ClientCredentials(name: "web app", secret: secret, at: .basic)
    /// `web%20app:s3cret%2Fwith%20%26signs`, as RFC 6749 (2.3.1) has it.
    private static let basic = "Basic d2ViJTIwYXBwOnMzY3JldCUyRndpdGglMjAlMjZzaWducw=="

    @Test("A client sends its secret with sign-ins and refreshes alone, and no result has it")
    func driven() throws {
        let trial = try DrivenTrial(client: Self.client)
        var sent: [OutgoingRequest] = []
        trial.wire.heard = { sent.append($0) }
        let result = try trial.driven()
        #expect(result.summary.populations[0].failedSteps == 0)
        let shown = sent.filter { $0.headers["Authorization"] == Self.basic }
        let ofTokens = sent.filter { $0.target.hasPrefix("/oauth/token") }
        #expect(shown.count == ofTokens.count && shown.count > 30)
        #expect(sent.count > ofTokens.count)
        for file in result.output.files {
            for text in Self.client.forms { #expect(!file.text.contains(text), "\(file.name)") }
        }
    }

    @Test(
        "A client's secret in a body is encoded as the body is",
        arguments: [
            ("", "client_id=web%20app&client_secret=s3cret%2Fwith%20%26signs"),
            ("a=1", "a=1&client_id=web%20app&client_secret=s3cret%2Fwith%20%26signs"),
            ("{}", #"{"client_id":"web app","client_secret":"s3cret/with &signs"}"#),
            (
                #"{"a":"1"}"#,
                #"{"a":"1","client_id":"web app","client_secret":"s3cret/with &signs"}"#
            ),
        ])
    func body(own: String, whole: String) {
        let client = ClientCredentials(name: "web app", secret: Self.secret, at: .body)
        var request = OutgoingRequest(method: .post, target: "/", upload: .whole(Body(own)))
        client.authenticate(&request)
        guard case .whole(let body) = request.upload else { return }
        #expect(String(decoding: body.bytes, as: UTF8.self) == whole)
        #expect(request.headers["Authorization"] == nil)
    }

    @Test("Only a secret that is encoded may be refused because of that")
    func wayOut() {
        #expect(Self.client.wayOut?.contains("--client-auth body") == true)
        #expect(ClientCredentials(name: "web", secret: "s3cret", at: .basic).wayOut == nil)
        #expect(ClientCredentials(name: "web", secret: "a b", at: .body).wayOut == nil)
    }

    @Test("A probe sends the client's secret, and never prints it even if the service returns it")
    func probed() throws {
        var shown = 0
        let service = ProbedService(number: 2)
        let wire = try ServedWire(service.profile())
        wire.heard = { if $0.headers["Authorization"] == Self.basic { shown += 1 } }
        wire.rewrites = { _, response in
            guard response.status >= 400 else { return response }
            let told = "no: \(Self.client.forms.joined(separator: " or "))"
            return WireResponse(
                status: response.status, headers: response.headers, body: Array(told.utf8))
        }
        let report = try service.probed(client: Self.client, over: wire)
        #expect(shown > 10)
        let told = report.json.document + report.document.text(.init(isOn: false), width: 4_000)
        #expect(told.contains("‹secret›"))
        for text in Self.client.forms { #expect(!told.contains(text)) }
    }
}
