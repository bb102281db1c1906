import Foundation
import SquallBackend
import SquallHTTP
import SquallLive
import SquallKernel
import SquallLab
import SquallSockets

extension Option {
    /// The certificates that are trusted where a server is called by https.
    static let certificates = Option(
        "--ca-file", .path("file"),
        "With https: trust the certificates of this PEM file instead of the system's.")

    static let owned = Option(
        "--i-own", .text("host"),
        "Name the target's host to confirm that you may send load to it; needed unless it is this"
            + " machine.")

    static let accounts = Option(
        "--accounts", .path("file"),
        "Accounts that users sign in with: CSV or JSON lines with email and password, or"
            + " password_env, which names an environment variable. By default the accounts of"
            + " squall serve.")

    static let clientName = Option(
        "--client-id", .text("name"),
        "OAuth 2.0's client, where sign-ins need one; its secret is in the environment variable"
            + " SQUALL_CLIENT_SECRET.")

    static let clientPlace = Option(
        "--client-auth", .text("place"),
        "Where the client's secret stands: basic, an Authorization header, or body; by default"
            + " basic, or what a discovery document says.")

    static let liveLog = Option(
        "--log", .path("file"),
        "Also write an access log, without secrets: as nginx's, or JSON lines if the name ends in"
            + " .jsonl.")
}

extension Option {
    static func live(showing what: String) -> Option {
        Option(
            "--live", .count(0...65_535),
            "While it runs, serve a page on this port of 127.0.0.1 (0 for a free one) with \(what)."
        )
    }
}

/// The access log of real requests, without what may be a secret.
struct LiveAccessLog {
    private let file: Journal
    private let form: AccessLogForm
    private let epoch: Epoch

    /// Opens it; time begins at the epoch.
    ///
    /// - Throws: why it cannot be written.
    init(_ output: OutputFile, epoch: Epoch) throws {
        (file, form, self.epoch) = (
            try Journal(output), AccessLogForm(fileName: output.path), epoch
        )
    }

    /// Writes a response down, with another path than its own where one is given.
    func append(_ record: ServerRecord, path: String? = nil) {
        file.append(form.line(record, epoch: epoch, hidesSecrets: true, path: path))
    }

    /// - Throws: what could not be written.
    func close() throws { try file.close() }
}

/// Parts of the commands that speak with others over sockets, in real time.
extension PerformedCommand {
    /// The present whole second: clients compare an expiry with their own clock.
    var presentEpoch: Epoch {
        let seconds = Int64(Date.now.timeIntervalSince1970)
        return Epoch(nanosecondsSince1970: seconds * 1_000_000_000)
    }

    /// Serves the page of `--live` by a server that tells its address, and says where it is.
    func showLive(_ serve: (UInt16) throws(SocketServer.Problem) -> String) throws {
        guard let port = arguments.count("--live") else { return }
        do throws(SocketServer.Problem) {
            tell("Live: \(try serve(UInt16(port)))")
        } catch {
            throw failure(of: error, "; give another --live, or 0 for a free port")
        }
    }

    /// The file of certificates that was given, as a path from wherever the process stands.
    var certificates: String? {
        arguments.text(Option.certificates.name).map { console.file($0).path }
    }

    /// The failure that a problem of sockets is, with a way out behind it.
    func failure(of problem: SocketServer.Problem, _ hint: String = "") -> CommandFailure {
        let reason = SystemFailure(problem.number).reason
        return CommandFailure(
            code: ExitCode(systemNumber: problem.number),
            description: "cannot \(problem.action): \(reason)\(hint)")
    }

    /// The server at an address, which is this machine or one that the command line names as own.
    func target(_ text: String, called name: String) throws -> DriveTarget {
        var target: DriveTarget
        do { target = try DriveTarget(text) } catch {
            throw CommandFailure.usage("\(name) \(error.text)")
        }
        let owned = arguments.text(Option.owned.name)
        guard target.isLoopback || owned?.asciiLowercased == target.host else {
            throw CommandFailure.usage(
                "\(target.host) is not this machine. If you are allowed to send load to"
                    + " it, add --i-own \(target.host)")
        }
        target.certificates = certificates
        guard let given = arguments.text(Option.certificates.name) else { return target }
        guard target.address.isSecure else {
            throw CommandFailure.usage(
                "\(Option.certificates.name) is for an https address, and \(name) is \(target.text)"
            )
        }
        do { _ = try Data(contentsOf: console.file(given)) } catch {
            throw CommandFailure.system("\(Option.certificates.name): cannot read \(given)", error)
        }
        return target
    }

    /// The target in short, and the reason for which it may be asked.
    func place(of target: DriveTarget) -> String {
        let reason = target.isLoopback ? "this machine" : "--i-own \(target.host)"
        return "\(target.text) (\(reason))"
    }

    /// The accounts in a file.
    func accounts(in path: String) throws -> [UserAccount] {
        let file = console.file(path)
        let text: String
        do { text = try String(contentsOf: file, encoding: .utf8) } catch {
            throw CommandFailure.system("cannot read \(file.shown)", error)
        }
        do {
            return try AccountFile.accounts(in: text, environment: console.environment)
        } catch {
            throw CommandFailure.invalid("\(file.shown), line \(error.line): \(error.text)")
        }
    }

    /// OAuth 2.0's client with the secret of the environment; `nil` without a secret.
    func client(usually place: ClientCredentials.Place) throws -> ClientCredentials? {
        let given = try arguments.value(
            Option.clientPlace.name, as: "basic or body",
            ClientCredentials.Place.init(rawValue:))
        let secret = console.environment["SQUALL_CLIENT_SECRET"]
        guard let name = arguments.text(Option.clientName.name) else {
            guard given == nil else {
                throw CommandFailure.usage("--client-auth is about a client; name it: --client-id")
            }
            return nil
        }
        guard let secret, !secret.isEmpty else {
            guard given == nil else {
                throw CommandFailure.usage(
                    "--client-auth needs the client's secret in the environment variable"
                        + " SQUALL_CLIENT_SECRET")
            }
            return nil
        }
        return ClientCredentials(name: name, secret: secret, at: given ?? place)
    }

    /// Performs a body that needs connections, with the failures of sockets as those of a command.
    func connecting<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let problem as ResponseProblem {
            throw CommandFailure.inputOutput(problem.text)
        } catch let problem as SocketServer.Problem {
            throw failure(of: problem)
        }
    }
}
