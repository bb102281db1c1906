import SquallBackend
import SquallHTTP
import SquallKernel

/// Payments.
extension Contract {
    /// `POST /v1/payments/validation`: books a payment that the provider has charged, once.
    mutating func validatePayment(_ call: Call) throws(Refusal) -> Answer {
        guard let payment = RequestBody.read(RequestBody.Payment.self, from: call.request.body),
            let impUID = payment.imp_uid?.nonEmpty, let postID = payment.post_id?.nonEmpty
        else { throw .missingValues }
        guard let id = ObjectID(.post, text: postID), let post = posts[id] else {
            throw .postMissing
        }
        let booked = try ledger.validate(impUID, for: post, by: call.user, at: call.now)
        posts.addBuyer(call.user, of: id, users)
        return .object { booked.write(into: &$0, users) }
    }

    /// `GET /v1/payments/me`: all payments of the user, oldest first.
    func payments(_ call: Call) -> Answer {
        let booked = ledger.payments(of: call.user)
        return .object { object in
            object.member(
                "data",
                array: { list in
                    for payment in booked { list.object { payment.write(into: &$0, users) } }
                })
        }
    }
}
