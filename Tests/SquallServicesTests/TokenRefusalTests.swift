import SquallBackend
import SquallHTTP
import SquallKernel
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

    @Test("Where the status alone means expired, any body does but one with another meaning")
    func statusAlone() {
        var form = TokenForm.bearer
        form.expired.statusAlone = true
        form.signedOut.status = 401
        let service = TokenService(form).service(
            randomness: RandomStream(seed: 1), userCount: 1)
        func meaning(_ status: Int, _ body: String) -> AnswerMeaning {
            service.meaning(of: Answer(status: status, body: Body(body)), to: nil)
        }
        #expect(meaning(401, "at 12:30") == .expired && meaning(401, "") == .expired)
        #expect(meaning(401, form.signedOut.body) == .signedOut)
        #expect(meaning(403, form.expired.body) == .refused)
    }
}
