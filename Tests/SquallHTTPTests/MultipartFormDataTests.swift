import Testing

@testable import SquallHTTP

@Suite("Multipart forms")
struct MultipartFormDataTests {
    static let fields = [("a", nil, nil), ("b", "c.jpg", nil), ("d", "e.png", "image/png")]

    @Test("The content type names the boundary")
    func contentType() {
        let form = MultipartFormData(boundary: "B")
        #expect(form.contentType == "multipart/form-data; boundary=B")
    }

    @Test(
        "A boundary has sixteen hexadecimal digits",
        arguments: [
            (0, "0000000000000000"), (0xAB, "00000000000000ab"), (UInt64.max, "ffffffffffffffff"),
        ])
    func boundary(bits: UInt64, digits: String) {
        #expect(MultipartFormData.boundary(from: bits) == "alamofire.boundary." + digits)
    }

    @Test("A form without parts has no bytes")
    func empty() { #expect(MultipartFormData(boundary: "B").body.isEmpty) }

    @Test(
        "The disposition names field and file, then comes the type",
        arguments: zip(
            fields,
            [
                "Content-Disposition: form-data; name=\"a\"\r\n",
                "Content-Disposition: form-data; name=\"b\"; filename=\"c.jpg\"\r\n",
                "Content-Disposition: form-data; name=\"d\"; filename=\"e.png\"\r\n"
                    + "Content-Type: image/png\r\n",
            ]))
    func onePart(field: (String, String?, String?), head: String) {
        var form = MultipartFormData(boundary: "B")
        form.append(Body("x"), withName: field.0, fileName: field.1, mimeType: field.2)
        #expect(form.body.text == "--B\r\n" + head + "\r\nx\r\n--B--\r\n")
    }

    @Test("Parts are separated by boundaries on lines of their own", arguments: 1...5)
    func severalParts(count: Int) {
        var form = MultipartFormData(boundary: "B")
        for index in 0..<count { form.append(Body("\(index)"), headers: ["N": "\(index)"]) }
        let parts = (0..<count).map { "N: \($0)\r\n\r\n\($0)\r\n" }
        #expect(form.body.text == "--B\r\n" + parts.joined(separator: "--B\r\n") + "--B--\r\n")
    }

    @Test("A quotation mark in a name is sent as it is")
    func quotation() {
        var form = MultipartFormData(boundary: "B")
        form.append(.empty, withName: "n", fileName: "a\"b.jpg")
        #expect(form.body.text.contains("filename=\"a\"b.jpg\""))
    }

    @Test("A part without bytes still has its head")
    func emptyPart() {
        var form = MultipartFormData(boundary: "B")
        form.append(.empty, headers: ["N": "0"])
        #expect(form.body.text == "--B\r\nN: 0\r\n\r\n\r\n--B--\r\n")
    }

    @Test("A large file stays a file inside the form")
    func file() {
        let file = Blob(magic: [0xFF, 0xD8], seed: 1, count: 5_000_000)
        var form = MultipartFormData(boundary: "B")
        form.append(Body(file), withName: "files", fileName: "c.jpg", mimeType: "image/jpeg")
        guard case .parts(let parts) = form.body.storage else { return #expect(Bool(false)) }
        #expect(parts.count == 3 && parts[1] == Body(file))
        #expect(form.body.count == parts[0].count + 5_000_000 + "\r\n--B--\r\n".utf8.count)
    }
}
