import SquallFormat
import SquallHTTP

/// Responses that a profile writes down.
extension DeclaredService {
    /// Refuses responses that cannot be put together.
    func checkResponses(_ read: inout SettingsReader) {
        for (index, endpoint) in endpoints.enumerated() {
            let path = read.path.appending("endpoints").appending(index)
            let all =
                [(path.appending("response"), endpoint.response)]
                + endpoint.errors.enumerated().map {
                    (path.appending("errors").appending($0.offset), $0.element)
                }
            for (place, response) in all where read.isSound(at: place) {
                do throws(DeclaredTemplate.Problem) {
                    _ = try response?.made(of: objects)
                } catch { read.refuse(place, sentence(for: error)) }
            }
        }
        for (key, delivery) in [("delivery", form.delivery), ("signInDelivery", form.signInWay)] {
            let place = read.path.appending(key)
            guard read.isSound(at: place) else { continue }
            do throws(DeclaredTemplate.Problem) {
                _ = try template(of: delivery)
            } catch { read.refuse(place, sentence(for: error)) }
        }
    }

    /// Gives the members that accompany tokens their variables, which each response fills in.
    func fillMembers(of service: inout TokenService) {
        let signIn = (try? template(of: form.signInWay)) ?? nil
        let refresh = (try? template(of: form.delivery)) ?? nil
        guard signIn != nil || refresh != nil else { return }
        let (form, usual) = (form, service.members)
        service.members = { grant in
            let way = grant.isSignIn ? form.signInWay : form.delivery
            guard let own = grant.isSignIn ? signIn : refresh else {
                return usual?(grant) ?? (way.members.isEmpty ? "{}" : grant.filled(way.members))
            }
            let bytes = own.bytes(.init(number: grant.user + 1))
            return grant.filled(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The template of the members that accompany tokens; `nil` where they have no variable.
    private func template(
        of delivery: TokenDelivery
    ) throws(DeclaredTemplate.Problem) -> DeclaredTemplate? {
        guard delivery.members.contains("{{"),
            let node = try? JSONParser.parse(Array(delivery.members.utf8))
        else { return nil }
        return try DeclaredTemplate(JSON(node), objects: objects)
    }

    private func sentence(for problem: DeclaredTemplate.Problem) -> String {
        switch problem {
        case .unknown(let name):
            let known = DeclaredTemplate.Variable.allCases.map(\.rawValue)
            return "has {{\(name.excerpt())}}, which is no variable of a text and none of"
                + " \"objects\".\(Spelling.hint(for: name, among: known + objects.keys.sorted()))"
        case .circle(let name): return "has the object \(name.excerpt()) in itself"
        case .tooLarge:
            return "has more than \(Units.grouped(Int64(DeclaredTemplate.bytesMax))) bytes"
        }
    }
}
