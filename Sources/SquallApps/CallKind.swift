/// How an app waits for a response, which decides if it notices that its token has expired.
public enum CallKind: String, CaseIterable, Sendable {
    /// Decoded into a model.
    case model
    /// Decoded into the app's account model, where the app handles that in its own way.
    case account
    /// Taken as bytes, such as a document.
    case bytes
    /// Looked at for its status only, such as a deletion.
    case status
    /// Taken as text.
    case text
    /// The response to a form that carries files.
    case upload
    /// A picture for the screen.
    case picture
}
