public import SquallBackend
import SquallFormat
public import SquallHTTP
import SquallKernel

/// The external catalogue that apps ask beside their own server, on its own host and workers.
public final class CatalogueService: Service {
    /// `catalogue`, also in the names of its random streams.
    public let name = "catalogue"
    /// The real search's address.
    public let origins = CatalogueService.addresses
    /// Where it answers.
    static let addresses = ["https://openapi.naver.com"]
    /// A search for each kind of thing.
    public let endpoints = CatalogueService.calls
    private let shelves: CatalogueShelves
    private let plan: CataloguePlan
    private let serviceTime: RandomStream

    /// A catalogue as a plan wants it.
    init(_ plan: CataloguePlan, epoch: Epoch, randomness: RandomStream) {
        self.plan = plan
        shelves = CatalogueShelves(Catalogue(plan: plan, epoch: epoch, randomness: randomness))
        serviceTime = randomness.stream("catalogue.service")
    }

    static let calls = CatalogueKind.allCases.map { kind in
        EndpointDescription(
            kind == .shop ? "searchShop" : "searchBooks", .get, "/v1/search/\(kind.rawValue).json")
    }

    /// It reads its rows at once, and answers when the time that they cost is over.
    public var workplace: Workplace {
        .own { [plan, serviceTime] scene, answer in
            let stream = serviceTime.stream(number: scene.streamKey)
            return plan.serviceTime.sample(stream, at: scene.ordinal)
                + Int64(answer.rowsScanned).clampedProduct(plan.nanosecondsPerRow)
        }
    }

    /// A page, or why there is none.
    public func answer(
        _ request: URLRequest, to route: Route?, in scene: ServiceScene
    ) -> Answer {
        let kind = route.map { CatalogueKind.allCases[$0.row] }
        return shelves.catalogue.find(request, on: kind, at: scene.now, keeper: shelves)
    }

    /// The status and nothing else.
    public func answer(to error: ServiceError) -> Answer { Answer(status: error.usualStatus) }
}

/// Keeps what the catalogue holds.
private final class CatalogueShelves: ListKeeper, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    var catalogue: Catalogue

    init(_ catalogue: Catalogue) { self.catalogue = catalogue }

    func items(of list: ListID) -> [Int32] {
        guard let list = list.key as? CatalogueList else { return [] }
        return catalogue.items(on: list.kind)
    }
}

/// A shelf in one of its orders.
struct CatalogueList: Hashable, Sendable {
    let kind: CatalogueKind
    let sort: CatalogueSort
}
