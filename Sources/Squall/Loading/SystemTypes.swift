// Names that Foundation and this package share.

#if canImport(FoundationNetworking)
    import FoundationNetworking

    typealias SystemRequest = FoundationNetworking.URLRequest
    typealias SystemResponse = FoundationNetworking.HTTPURLResponse
#else
    import Foundation

    typealias SystemRequest = Foundation.URLRequest
    typealias SystemResponse = Foundation.HTTPURLResponse
#endif
