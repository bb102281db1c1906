import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The configuration that replaces a session's own: a copy in which the world answers the requests
/// of its code.
@_cdecl("squall_configuration_for")
func configuration(for given: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let given = Unmanaged<URLSessionConfiguration>.fromOpaque(given).takeUnretainedValue()
    let own = given.copy() as? URLSessionConfiguration ?? given
    var classes = own.protocolClasses ?? []
    if !classes.contains(where: { $0 == WorldURLProtocol.self }) {
        let systems = classes.firstIndex { "\(String(reflecting: $0))".hasPrefix(systemModule) }
        classes.insert(WorldURLProtocol.self, at: systems ?? classes.endIndex)
        own.protocolClasses = classes
    }
    if let world = VirtualDispatch.loadingWorld {
        // The process's cache would look into its folder at each request, and never has an answer.
        if own.urlCache === URLCache.shared { own.urlCache = nil }
        if own.httpCookieStorage === withoutInterception({ HTTPCookieStorage.shared }),
            let cookies = world.cookies
        {
            own.httpCookieStorage = cookies
        }
        world.adopt(own)
    }
    return Unmanaged.passRetained(own).toOpaque()
}

private let systemModule = "FoundationNetworking."

/// `URLSession.shared` for a world's code: a session of the world's own.
@_cdecl("squall_shared_session")
func sharedSession() -> UnsafeMutableRawPointer? {
    VirtualDispatch.loadingWorld?.sharedSession.map { Unmanaged.passRetained($0).toOpaque() }
}

/// `HTTPCookieStorage.shared` for a world's code: the world's own, or its running user's.
@_cdecl("squall_shared_cookies")
func sharedCookies() -> UnsafeMutableRawPointer? {
    VirtualDispatch.loadingWorld?.cookies.map { Unmanaged.passRetained($0).toOpaque() }
}

/// `OperationQueue.main` for a world's code: a queue of the world's own, on its main queue.
@_cdecl("squall_main_operations")
func mainOperations() -> UnsafeMutableRawPointer? {
    VirtualDispatch.current.map { Unmanaged.passRetained($0.mainOperations).toOpaque() }
}

/// `UserDefaults.standard` for the code of a world with several users: the user's own.
@_cdecl("squall_user_defaults")
func userDefaults() -> UnsafeMutableRawPointer? {
    VirtualDispatch.loadingWorld?.defaults.map { Unmanaged.passRetained($0).toOpaque() }
}

/// What a cache is told that looks for a folder in a world.
@_cdecl("squall_no_folder")
func noFolder() -> UnsafeMutableRawPointer {
    // An error is one reference, which the catcher releases.
    unsafeBitCast(folderError, to: Unmanaged<AnyObject>.self).retain().toOpaque()
}

private let folderError: any Error = URLError(.cannotCreateFile)

/// 1 for a stream with an error to tell; anything that is no stream has none.
@_cdecl("squall_stream_has_failed")
func hasFailed(stream: UnsafeMutableRawPointer) -> Int32 {
    let stream = Unmanaged<Stream>.fromOpaque(stream).takeUnretainedValue()
    return stream.streamStatus == .error ? 1 : 0
}
