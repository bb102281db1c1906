import Foundation
import SquallFormat
import TestSupport
import Testing

@testable import SquallReport

@Suite("Grafana dashboard")
struct GrafanaDashboardTests {
    private static func dashboard() throws -> JSONNode {
        try JSONParser.parse(Array(GrafanaDashboard.json.line.utf8))
    }

    @Test("The dashboard has the members of Grafana's published dashboard kind and no others")
    func schema() throws {
        #expect(GrafanaSchema.dashboard.problems(of: try Self.dashboard(), at: "") == [])
    }

    @Test(
        "A dashboard that Grafana's schema refuses has problems",
        arguments: [
            (#""schemaVersion":39"#, #""schemaVersion":"39""#),
            (#""graphTooltip":1"#, #""graphTooltip":3"#),
            (#","type":"timeseries""#, ""), (#""type":"timeseries""#, #""type":"""#),
            (#""w":12"#, #""w":25"#), (#""targets":"#, #""target":"#),
            (#""placement":"bottom""#, #""placement":"below""#),
            (#""type":"datasource""#, #""type":"source""#), (#","overrides":[]"#, ""),
        ])
    func refused(right: String, wrong: String) throws {
        let text = GrafanaDashboard.json.line
        #expect(text.contains(right))
        let range = try #require(text.range(of: right))
        let changed = try JSONParser.parse(
            Array(text.replacingCharacters(in: range, with: wrong).utf8))
        #expect(GrafanaSchema.dashboard.problems(of: changed, at: "") != [])
    }

    @Test("Panels lie side by side, each with a number and targets with letters of their own")
    func layout() throws {
        let panels = try Self.dashboard()["panels"]?.list ?? []
        #expect(panels.count > 5)
        #expect(Set(panels.compactMap { $0["id"]?.number }).count == panels.count)
        let places = panels.map { panel in
            ["x", "y"].compactMap { panel.at("gridPos.\($0)")?.number }
        }
        #expect(Set(places).count == panels.count)
        for panel in panels {
            let letters = (panel["targets"]?.list ?? []).compactMap { $0["refId"]?.string }
            #expect(!letters.isEmpty && Set(letters).count == letters.count)
        }
    }

    @Test("A panel of durations has the unit of its series")
    func units() throws {
        for panel in try Self.dashboard()["panels"]?.list ?? [] {
            let isOfDurations = (panel["targets"]?.list ?? []).contains {
                $0["expr"]?.string?.contains("_ns{") == true
            }
            #expect((panel.at("fieldConfig.defaults.unit")?.string == "ns") == isOfDurations)
        }
    }

    @Test("Every query asks for a series that openmetrics.txt has, of the profiles that are chosen")
    func series() throws {
        let known = (TimelineColumn.builtIn + TimelineColumn.percentiles.map(\.column)).map {
            OpenMetricsText.name(of: $0) + ($0.kind == .sum ? "_total" : "")
        }
        let dashboard = try Self.dashboard()
        let queries = (dashboard["panels"]?.list ?? []).flatMap { $0["targets"]?.list ?? [] }
            .compactMap { $0["expr"]?.string }
        let variables = dashboard.at("templating.list")?.list ?? []
        #expect(variables.compactMap { $0["name"]?.string } == ["source", "profile"])
        for query in queries + variables.compactMap({ $0["query"]?.string }).dropFirst() {
            let name = try #require(query.firstMatch(of: /squall_run_[a-z0-9_]+/)).output
            #expect(known.contains(String(name)), "\(query)")
        }
        #expect(queries.allSatisfy { $0.contains(#"{profile=~"$profile"}"#) })
    }
}

/// What of Grafana's kind `dashboard` a dashboard of ours uses, by grafana/grafana's
/// `kinds/dashboard/dashboard_kind.cue`, and by the kinds of its panel `timeseries`.
private indirect enum GrafanaSchema: Sendable {
    case flag
    case whole(ClosedRange<Double>)
    case number
    case text
    case choice([String])
    case list(GrafanaSchema)
    /// Members that may be there; those that must be are named.
    case object([String: GrafanaSchema], needs: [String] = [])

    /// Where a value is none of this kind.
    func problems(of node: JSONNode, at path: String) -> [String] {
        switch (self, node.value) {
        case (.flag, .bool), (.number, .number): []
        case (.whole(let range), .number):
            node.number.map { range.contains($0) && $0 == $0.rounded() } == true ? [] : [path]
        case (.text, .string(let text)): text.isEmpty ? [path] : []
        case (.choice(let words), .string(let word)): words.contains(word) ? [] : [path]
        case (.list(let kind), .array(let elements)):
            elements.enumerated().flatMap { kind.problems(of: $1, at: "\(path)/\($0)") }
        case (.object(let known, let needs), .object(let members)):
            needs.filter { node[$0] == nil }.map { "\(path)/\($0) is missing" }
                + members.flatMap { member in
                    known[member.name]?.problems(of: member.value, at: "\(path)/\(member.name)")
                        ?? ["\(path)/\(member.name) is unknown"]
                }
        default: [path]
        }
    }

    static let dashboard = object(
        [
            "title": .text, "uid": .text, "tags": .list(.text), "timezone": .text,
            "editable": .flag, "graphTooltip": .whole(0...2), "schemaVersion": .whole(36...65_535),
            "version": .whole(0...4e9), "time": .object(["from": .text, "to": .text]),
            "templating": .object(["list": .list(variable)]),
            "annotations": .object(["list": .list(.object([:]))]), "panels": .list(panel),
        ], needs: ["schemaVersion", "panels", "title"])

    private static let source = object(["type": .text, "uid": .text])

    private static let variable = object(
        [
            "type": .choice([
                "query", "adhoc", "constant", "datasource", "interval", "textbox", "custom",
                "system",
            ]),
            "name": .text, "label": .text, "hide": .whole(0...2), "query": .text,
            "datasource": source, "includeAll": .flag, "multi": .flag, "refresh": .whole(0...2),
        ], needs: ["type", "name"])

    private static let panel = object(
        [
            "type": .text, "id": .whole(0...4e9), "title": .text, "datasource": source,
            "gridPos": .object([
                "h": .whole(1...4e9), "w": .whole(1...24), "x": .whole(0...23),
                "y": .whole(0...4e9),
            ]),
            "fieldConfig": .object(
                [
                    "defaults": .object(["unit": .text, "min": .number]),
                    "overrides": .list(.object([:])),
                ], needs: ["defaults", "overrides"]),
            "options": .object(
                ["legend": legend, "tooltip": tooltip], needs: ["legend", "tooltip"]),
            "targets": .list(target),
        ], needs: ["type", "fieldConfig", "options"])

    private static let legend = object(
        [
            "calcs": .list(.text), "displayMode": .choice(["list", "table", "hidden"]),
            "placement": .choice(["bottom", "right"]), "showLegend": .flag,
        ], needs: ["calcs", "displayMode", "placement", "showLegend"])

    private static let tooltip = object(
        [
            "mode": .choice(["single", "multi", "none"]),
            "sort": .choice(["asc", "desc", "none"]),
        ], needs: ["mode", "sort"])

    private static let target = object(
        ["refId": .text, "datasource": source, "expr": .text, "legendFormat": .text],
        needs: ["refId", "expr"])
}
