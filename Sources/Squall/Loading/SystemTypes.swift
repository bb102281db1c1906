// What Foundation and this package call by the same name.

#if canImport(FoundationNetworking)
    import FoundationNetworking

    typealias SystemRequest = FoundationNetworking.URLRequest
    typealias SystemResponse = FoundationNetworking.HTTPURLResponse
#else
    import Foundation

    typealias SystemRequest = Foundation.URLRequest
    typealias SystemResponse = Foundation.HTTPURLResponse
#endif
