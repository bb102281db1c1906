import SquallReport

// Every value has been validated; nothing here can fail on account of a file.

extension Profile {
    init(_ values: FieldValues) {
        question = values.text("question")
        seed = values.seed("seed")
        durationNanoseconds = values.nanoseconds("duration")
        populations = values.sections("populations").map(Population.init)
        warmUp = WarmUp(values.optionalSection("warmUp"))
        drainNanoseconds = values.nanoseconds("drain")
        backend = Backend(values.section("backend"))
        let caches = values.section("caches")
        cachesEncoding = caches.flag("encoding")
        cachesDecoding = caches.flag("decoding")
        thresholds = values.thresholds("thresholds")
        timeseriesIntervalNanoseconds = values.section("output").nanoseconds("timeseriesInterval")
    }
}

extension Profile.Population {
    init(_ values: FieldValues) {
        name = values.text("name")
        app = values.text("app")
        design = values.text("design")
        clientLibrary = values.choice("clientLibrary")
        retries = values.choice("retries")
        users = values.integer("users")
        journeys = values.weights("journeys")
        load = Profile.Load(values.section("load"))
        thinkTime = DistributionSpec(values.section("thinkTime"))
        away = DistributionSpec(values.section("away"))
        arriveOverNanoseconds = values.nanoseconds("arriveOver")
        patienceNanoseconds = values.nanoseconds("patience")
        startsSignedIn = values.flag("startsSignedIn")
        initialTokens = values.choice("initialTokens")
    }
}

extension Profile.Backend {
    init(_ values: FieldValues) {
        generation = values.text("generation")
        tokens = Profile.Tokens(values.section("tokens"))
        content = Profile.Content(values.section("content"))
        network = Profile.Network(values.section("network"))
        server = Profile.Server(values.section("server"))
        payments = Profile.Payments(values.section("payments"))
        catalogue = Profile.Catalogue(values.section("catalogue"))
        faults = values.sections("faults").map(Profile.Fault.init)
    }
}

extension Profile.Tokens {
    init(_ values: FieldValues) {
        accessLifetimeNanoseconds = values.nanoseconds("accessLifetime")
        refreshLifetimeNanoseconds = values.nanoseconds("refreshLifetime")
        lifetimeJitterNanoseconds = values.nanoseconds("lifetimeJitter")
        refresh = values.choice("refresh")
        reuseWindowNanoseconds = values.nanoseconds("reuseWindow")
        reuseGenerations = values.integer("reuseGenerations")
        replaysUnusedChild = values.flag("replaysUnusedChild")
        refreshRevokesAccessTokens = values.flag("refreshRevokesAccessTokens")
        revocationLagNanoseconds = values.nanoseconds("revocationLag")
    }
}

extension Profile.Content {
    init(_ values: FieldValues) {
        novels = values.integer("novels")
        let shortest = values.integer("episodesPerNovelMin")
        episodesPerNovel = shortest...values.integer("episodesPerNovelMax")
        bookPosts = values.integer("bookPosts")
        giftQuestions = values.integer("giftQuestions")
        outfits = values.integer("outfits")
    }
}

extension Profile.Catalogue {
    fileprivate init(_ values: FieldValues) {
        items = values.integer("items")
        insertGap = values.optionalSection("insertGap").map(DistributionSpec.init)
        removalGap = values.optionalSection("removalGap").map(DistributionSpec.init)
        serviceTime = DistributionSpec(values.section("serviceTime"))
        perScannedRowNanoseconds = values.nanoseconds("perScannedRow")
        startMax = values.integer("startMax")
        breaksTies = values.flag("breaksTies")
    }
}

extension Profile.Network {
    init(_ values: FieldValues) {
        up = DistributionSpec(values.section("up"))
        down = DistributionSpec(values.section("down"))
        connectionsPerHost = values.integer("connectionsPerHost")
        timeoutNanoseconds = values.nanoseconds("timeout")
        bandwidthBytesPerSecond = values.optionalInteger("bandwidthBytesPerSecond")
        uploadBytesPerSecond = values.optionalInteger("uploadBytesPerSecond")
        connectFailureProbability = values.number("connectFailureProbability")
        requestLossProbability = values.number("requestLossProbability")
        answerLossProbability = values.number("answerLossProbability")
        lossNotice = values.choice("lossNotice")
    }
}

extension Profile.Server {
    init(_ values: FieldValues) {
        workers = values.integer("workers")
        queueLimit = values.integer("queueLimit")
        serviceTime = DistributionSpec(values.section("serviceTime"))
        let times = values.section("serviceTimes")
        serviceTimes = Dictionary(
            uniqueKeysWithValues: times.keys.map { ($0, DistributionSpec(times.section($0))) })
        perItemNanoseconds = values.nanoseconds("perItem")
        perScannedRowNanoseconds = values.nanoseconds("perScannedRow")
        waitLimitNanoseconds = values.optionalNanoseconds("waitLimit")
        userRate = values.optionalSection("userRate").map(Profile.Rate.init)
        keyRate = values.optionalSection("keyRate").map(Profile.Rate.init)
        retryAfterNanoseconds = values.optionalNanoseconds("retryAfter")
        clockSkewNanoseconds = values.nanoseconds("clockSkew")
    }
}

extension Profile.Rate {
    fileprivate init(_ values: FieldValues) {
        perSecond = values.number("perSecond")
        burst = values.integer("burst")
    }
}

extension Profile.Payments {
    fileprivate init(_ values: FieldValues) {
        duration = DistributionSpec(values.section("duration"))
        cancelProbability = values.number("cancelProbability")
        noCallbackProbability = values.number("noCallbackProbability")
        lostReceiptProbability = values.number("lostReceiptProbability")
        equalMerchantIDs = values.choice("equalMerchantIDs")
    }
}

extension Profile.Fault {
    init(_ values: FieldValues) {
        kind = values.choice("kind")
        atNanoseconds = values.nanoseconds("at")
        lastsNanoseconds = values.optionalNanoseconds("for")
        probability = values.optionalNumber("probability") ?? 1
        endpoints = values.texts("endpoints")
        app = values.optionalText("app")
        users = values.optionalNumber("users") ?? 1
        factor = values.optionalNumber("factor") ?? 1
        added =
            values.optionalSection("added").map(DistributionSpec.init) ?? .constant(nanoseconds: 0)
        status = values.optionalInteger("status")
        lossNotice = values.optionalText("lossNotice").flatMap(Profile.LossNotice.init) ?? .timeout
        workers = values.optionalInteger("workers")
        skewNanoseconds = values.optionalNanoseconds("skew")
    }
}

extension DistributionSpec {
    init(_ values: FieldValues) {
        switch values.only {
        case ("constant", .nanoseconds(let nanoseconds))?:
            self = .constant(nanoseconds: nanoseconds)
        case ("uniform", .list(let ends))?:
            self = .uniform(low: ends[0].asNanoseconds, high: ends[1].asNanoseconds)
        case ("exponential", .section(let law))?:
            self = .exponential(
                mean: law.nanoseconds("mean"), minimum: law.nanoseconds("min"),
                maximum: law.optionalNanoseconds("max"))
        case ("logNormal", .section(let law))?:
            self = .logNormal(
                median: law.nanoseconds("median"), sigma: law.number("sigma"),
                maximum: law.optionalNanoseconds("max"))
        case ("pareto", .section(let law))?:
            self = .pareto(
                scale: law.nanoseconds("scale"), shape: law.number("shape"),
                maximum: law.optionalNanoseconds("max"))
        case ("empirical", .list(let entries))?:
            self = .empirical(entries.map(WeightedDuration.init))
        default:
            preconditionFailure("no such law: \(values)")
        }
    }
}

extension DistributionSpec.WeightedDuration {
    fileprivate init(_ entry: FieldValue) {
        guard case .list(let pair) = entry, case .integer(let weight) = pair[1] else {
            preconditionFailure("\(entry) is not a duration with its weight")
        }
        nanoseconds = pair[0].asNanoseconds
        self.weight = weight
    }
}

extension FieldValue {
    var asNanoseconds: Int64 {
        guard case .nanoseconds(let nanoseconds) = self else {
            preconditionFailure("\(self) is not a duration")
        }
        return nanoseconds
    }
}

extension FieldValues {
    func choice<Choice: RawRepresentable<String>>(_ key: String) -> Choice {
        guard let choice = Choice(rawValue: text(key)) else {
            preconditionFailure("the table of settings offers '\(text(key))', the type does not")
        }
        return choice
    }
}
