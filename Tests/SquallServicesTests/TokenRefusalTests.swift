import SquallBackend
import SquallHTTP
import Testing

@testable import SquallServices

@Suite("What a refusal means")
struct TokenRefusalTests {
    @Test(
        "A body means the same however its JSON is set, and another one something else",
        arguments: [
            (401, #"{"error":"token expired"}"#, true),
            (401, "{ \"error\": \"token expired\" }\n", true),
            (401, #"{"error":"tokenexpired"}"#, false), (401, "", false),
            (403, #"{"error":"token expired"}"#, false),
            (401, #"{"error":"token expired","more":"\" "}"#, false),
        ])
    func spaced(status: Int, body: String, isRefusal: Bool) {
        let refusal = TokenRefusal(401, #"{"error":"token expired"}"#)
        #expect(Answer(status: status, body: Body(body)).isRefusal(refusal) == isRefusal)
    }
}
