import SquallHTTP

/// The row that was found, and where the path's first two variables stand.
struct RouteMatch {
    var row: Int16 = 0
    var first: Range<Int32> = 0..<0
    var second: Range<Int32> = 0..<0

    /// With the name of one more variable.
    func naming(_ range: Range<Int>) -> RouteMatch {
        let range = Int32(range.lowerBound)..<Int32(range.upperBound)
        var match = self
        if first.isEmpty {
            match.first = range
        } else if second.isEmpty {
            match.second = range
        }
        return match
    }
}

/// The names of paths, from the root.
struct RouteTree: Sendable {
    struct Node {
        /// The edges whose names are fixed, as a list; none is negative.
        var firstEdge: Int32 = -1
        /// Edges whose names are variable between fixed ends: `{sid}.json`; none is negative.
        var firstEnded: Int32 = -1
        var variable: Int?
        /// True if the variable takes the rest of the path, slashes and all.
        var takesRest = false
        var rows: [(method: HTTPMethod, row: Int)] = []
    }

    struct Edge {
        let name: Range<Int>
        let node: Int
        let next: Int32
    }

    /// A name with a variable in it.
    struct Ended {
        let start, end: Range<Int>
        let node: Int
        let next: Int32
    }

    private var nodes = [Node()]
    private var edges: [Edge] = []
    private var ended: [Ended] = []
    private var names: [UInt8] = []
    /// The routes of paths without a variable, by their rows.
    let plain: [Route]

    init(_ endpoints: [EndpointDescription]) {
        plain = endpoints.indices.map(Route.init(row:))
        for (row, endpoint) in endpoints.enumerated() { add(endpoint, row) }
    }

    private mutating func add(_ endpoint: EndpointDescription, _ row: Int) {
        var node = 0
        for name in endpoint.path.split(separator: "/") { node = child(name, of: node) }
        if endpoint.path.hasSuffix("/{path}") { nodes[node].takesRest = true }
        nodes[node].rows.append((endpoint.method, row))
    }

    private mutating func child(_ name: Substring, of node: Int) -> Int {
        if let part = VariablePart(name), !part.isWhole { return child(part, of: node) }
        let isVariable = name.hasPrefix("{")
        var bytes = name
        let known =
            isVariable
            ? nodes[node].variable
            : bytes.withUTF8 { bytes in
                searching(bytes, for: .get) { $0.edge(0..<bytes.count, of: node) }
            }
        if let known { return known }
        nodes.append(Node())
        if isVariable {
            nodes[node].variable = nodes.count - 1
        } else {
            names += name.utf8
            edges.append(
                Edge(
                    name: names.count - name.utf8.count..<names.count, node: nodes.count - 1,
                    next: nodes[node].firstEdge))
            nodes[node].firstEdge = Int32(edges.count - 1)
        }
        return nodes.count - 1
    }

    private mutating func child(_ part: VariablePart, of node: Int) -> Int {
        var known = nodes[node].firstEnded
        while known >= 0 {
            let own = ended[Int(known)]
            if names[own.start].elementsEqual(part.start.utf8),
                names[own.end].elementsEqual(part.end.utf8)
            {
                return own.node
            }
            known = own.next
        }
        let place = names.count
        names += Array((part.start + part.end).utf8)
        let middle = place + part.start.utf8.count
        nodes.append(Node())
        ended.append(
            Ended(
                start: place..<middle, end: middle..<names.count, node: nodes.count - 1,
                next: nodes[node].firstEnded))
        nodes[node].firstEnded = Int32(ended.count - 1)
        return nodes.count - 1
    }

    func searching<Value>(
        _ path: UnsafeBufferPointer<UInt8>, for method: HTTPMethod, _ body: (Search) -> Value
    ) -> Value {
        names.withUnsafeBufferPointer { names in
            nodes.withUnsafeBufferPointer { nodes in
                edges.withUnsafeBufferPointer { edges in
                    ended.withUnsafeBufferPointer { ended in
                        body(
                            Search(
                                method: method, path: path, names: names, nodes: nodes,
                                edges: edges, ended: ended))
                    }
                }
            }
        }
    }

    /// A search for a path by pointers: the arrays' own references are not counted.
    struct Search {
        let method: HTTPMethod
        let path, names: UnsafeBufferPointer<UInt8>
        let nodes: UnsafeBufferPointer<Node>
        let edges: UnsafeBufferPointer<Edge>
        let ended: UnsafeBufferPointer<Ended>

        func find(from start: Int, at node: Int, _ match: RouteMatch) -> RouteMatch? {
            var first = start
            while first < path.count, path[first] == UInt8(ascii: "/") { first += 1 }
            guard first < path.count else { return finish(at: node, match) }
            var end = first
            if nodes[node].firstEdge >= 0 {
                end = self.end(from: first)
                if let next = edge(first..<end, of: node),
                    let found = find(from: end, at: next, match)
                {
                    return found
                }
            }
            if nodes[node].firstEnded >= 0, let found = findEnded(from: first, at: node, match) {
                return found
            }
            guard let next = nodes[node].variable else { return nil }
            end = nodes[next].takesRest ? path.count : self.end(from: first)
            return find(from: end, at: next, match.naming(first..<end))
        }

        private func findEnded(from first: Int, at node: Int, _ match: RouteMatch) -> RouteMatch? {
            let end = end(from: first)
            var next = nodes[node].firstEnded
            while next >= 0 {
                let own = ended[Int(next)]
                let (start, close) = (first + own.start.count, end - own.end.count)
                if start < close, has(own.start, at: first), has(own.end, at: close),
                    let found = find(from: end, at: own.node, match.naming(start..<close))
                {
                    return found
                }
                next = own.next
            }
            return nil
        }

        private func has(_ name: Range<Int>, at place: Int) -> Bool {
            name.allSatisfy { names[$0] == path[place + $0 - name.lowerBound] }
        }

        private func end(from first: Int) -> Int {
            var end = first
            while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
            return end
        }

        func edge(_ name: Range<Int>, of node: Int) -> Int? {
            var next = nodes[node].firstEdge
            while next >= 0 {
                let own = edges[Int(next)].name
                if own.count == name.count {
                    var offset = 0
                    while offset < name.count,
                        names[own.lowerBound + offset] == path[name.lowerBound + offset]
                    {
                        offset += 1
                    }
                    if offset == name.count { return edges[Int(next)].node }
                }
                next = edges[Int(next)].next
            }
            return nil
        }

        private func finish(at node: Int, _ match: RouteMatch) -> RouteMatch? {
            for position in nodes[node].rows.indices
            where nodes[node].rows[position].method == method {
                var match = match
                match.row = Int16(nodes[node].rows[position].row)
                return match
            }
            return nil
        }
    }
}
