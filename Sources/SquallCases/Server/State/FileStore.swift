import SquallHTTP

/// An uploaded file that the rules allow, before it is stored.
struct Upload {
    /// The name without its last dot and what follows.
    let baseName: String
    let fileExtension: String
    let body: Body
}

/// The files of the server by their paths: those from before the run are made from their names.
struct FileStore {
    private static let fileExtensions = ["jpg", "png", "jpeg", "gif", "pdf"]
    private static let baseNameBytesMax = 200

    private static let folder = "uploads/"

    /// By their paths below the folder of uploads.
    private var uploaded: [Substring: Body] = [:]

    /// The file at a path below the folder of uploads, if there is one.
    func file(_ path: Substring) -> Body? {
        if !uploaded.isEmpty, let body = uploaded[path] { return body }
        return SeededFiles.blob(at: path).map { Body($0) }
    }

    /// The files of a form, in order.
    ///
    /// - Throws: `.badRequest` when one has another name, no or a wrong extension, too many bytes,
    ///   or when there are too many.
    func check(
        _ form: MultipartForm, name: String, countMax: Int, _ year: ContractYear
    ) throws(Refusal) -> [Upload] {
        var uploads: [Upload] = []
        for part in form.parts where part.name == name || part.fileName != nil {
            guard part.name == name, let fileName = part.fileName,
                let upload = FileStore.upload(fileName, part.body),
                upload.body.count <= year.fileBytesMax, uploads.count < countMax
            else { throw .badRequest }
            uploads.append(upload)
        }
        return uploads
    }

    /// Stores files and returns their paths, in order.
    ///
    /// 2024 keeps the client's name before the instant, 2023 does not; of equal names a later one
    /// gets an instant some milliseconds later.
    mutating func store(
        _ uploads: [Upload], in folder: String, _ year: ContractYear, atMillisecond now: Int64
    ) -> [String] {
        uploads.map { upload in
            let prefix = year == .year2023 ? "" : upload.baseName + "_"
            var millisecond = now
            func path() -> String {
                "\(folder)/\(prefix)\(millisecond).\(upload.fileExtension)"
            }
            func key() -> Substring { path().dropFirst(FileStore.folder.count) }
            while file(key()) != nil { millisecond += 1 }
            uploaded[key()] = upload.body
            return path()
        }
    }

    /// Splits a client's file name; only the part after its last slash counts.
    private static func upload(_ fileName: String, _ body: Body) -> Upload? {
        let name = fileName.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), name.utf8.count <= baseNameBytesMax else {
            return nil
        }
        let ending = name[name.index(after: dot)...].lowercased()
        guard fileExtensions.contains(ending) else { return nil }
        return Upload(baseName: String(name[..<dot]), fileExtension: ending, body: body)
    }
}
