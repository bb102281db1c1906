import SquallBackend
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
    /// Files from before the run that were asked for lately: one body for all phones that show it.
    private var lately: [(route: Route, body: Body)?] = []
    private var reads = 0
    /// As many are kept, and after as many reads only: most worlds of an exploration read a dozen.
    private static let latelyCount = 512

    /// The file from before the run that a route names, if there is one.
    mutating func seeded(_ route: Route) -> Body? {
        let address = UInt(bitPattern: ObjectIdentifier(route))
        let place = Int((address &* 0x9FB2_1C65_1E98_DF25) >> 32) % Self.latelyCount
        if !lately.isEmpty, let known = lately[place], known.route === route { return known.body }
        // By its bytes, as each picture of each screen asks.
        let blob = route.withFirst { $0.hasPercentSign ? nil : SeededFiles.blob(named: $0) }
        guard let body = blob.map({ Body($0) }) else { return nil }
        reads += 1
        guard reads > Self.latelyCount else { return body }
        if lately.isEmpty { lately = Array(repeating: nil, count: Self.latelyCount) }
        lately[place] = (route, body)
        return body
    }

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
