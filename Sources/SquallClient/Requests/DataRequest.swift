/// A request whose answer is kept in memory.
public class DataRequest: Request, @unchecked Sendable {
    // Safe because it adds nothing that changes.
}
