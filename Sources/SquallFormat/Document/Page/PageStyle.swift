/// The page's style sheet; it must contain neither `<` nor `&`.
enum PageStyle {
    static let source = """

        :root {
          color-scheme: light dark;
          --ground: #fbfaf8; --raised: #ffffff; --ink: #20242a; --quiet: #606a76;
          --rule: #dfdfdb; --grid: #ebebe7; --good: #1f7a4d; --bad: #b3362b; --part: #8a6d00;
          --first: #4477aa; --retry: #9a7a14; --refresh: #aa3377; --wire: #2f6f9f;
          --track: #eeeeea; --fail: #c4473a; --window: #b07d2b;
          --critical: #fff0c2; --broken: #fde3df;
          /* A hundredth of the darkest shade on which words have a contrast of 4.5. */
          --darkest: 0.68%;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #14171b; --raised: #1a1e23; --ink: #e6e8ea; --quiet: #98a2ad;
            --rule: #30363d; --grid: #262b31; --good: #5cc28f; --bad: #f0857a; --part: #e0bf55;
            --first: #6c9fd2; --retry: #d8bb52; --refresh: #d673ab; --wire: #66ace0;
            --track: #262b31; --fail: #e0776c; --window: #d9b25c;
            --critical: #4a3c10; --broken: #4d211b; --darkest: 0.52%;
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body {
          margin: 0; background: var(--ground); color: var(--ink);
          font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, sans-serif;
          font-variant-numeric: tabular-nums lining-nums;
        }
        main { max-width: 1180px; margin: 0 auto; padding: 28px clamp(14px, 4vw, 48px) 56px; }
        h1 { font-size: clamp(24px, 5vw, 34px); line-height: 1.2; margin: 2px 0 8px;
          letter-spacing: -0.015em; overflow-wrap: anywhere; }
        h1.long { font-size: 20px; line-height: 1.35; letter-spacing: 0; }
        h2 { font-size: 20px; letter-spacing: -0.01em; margin: 0 0 4px; overflow-wrap: anywhere; }
        h3 { font-size: 15px; margin: 26px 0 6px; }
        section { margin-top: 40px; padding-top: 20px; border-top: 1px solid var(--rule); }
        code { font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
        a { color: inherit; text-underline-offset: 2px; }
        p { max-width: 96ch; margin: 0 0 12px; }
        li { max-width: 96ch; }
        ul { padding-left: 1.2em; margin: 0 0 12px; }
        .points { list-style: none; padding: 0; }
        .points li { max-width: 100ch; margin-bottom: 6px; }
        .note, .absent, footer, .brand { color: var(--quiet); }
        .absent { font-style: italic; margin: 0; }
        .brand { font-size: 13px; margin: 0; }
        .question { color: var(--quiet); }
        .reason { color: var(--quiet); margin-top: -4px; }
        .answer { font-size: 18px; line-height: 1.45; font-weight: 550; }
        nav { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 26px; font-size: 13.5px; }
        nav a { max-width: 100%; overflow-wrap: anywhere; }
        abbr { text-decoration: underline dotted; text-underline-offset: 3px; cursor: help; }
        .words { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr));
          gap: 10px 28px; margin: 0; }
        .words dt { font-size: 14px; font-weight: 600; color: var(--ink); }
        .words dd { font-weight: 400; font-size: 13.5px; color: var(--quiet); }
        header { border-left: 5px solid var(--part); padding-left: clamp(12px, 2vw, 20px); }
        header.passed { border-color: var(--good); }
        header.failed { border-color: var(--bad); }
        .verdict { color: var(--part); }
        .passed .verdict, .good { color: var(--good); }
        .failed .verdict, .bad { color: var(--bad); }
        .facts { display: flex; flex-wrap: wrap; gap: 6px 28px; margin: 14px 0; }
        dt { font-size: 12px; color: var(--quiet); }
        dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
        .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(124px, 1fr));
          gap: 10px; margin: 18px 0; }
        .tiles div { background: var(--raised); border: 1px solid var(--rule); border-radius: 8px;
          padding: 10px 12px; }
        .tiles span { display: block; }
        .whole { white-space: nowrap; }
        .name { font-size: 12px; color: var(--quiet); }
        .value { font-size: 24px; font-weight: 650; letter-spacing: -0.01em; line-height: 1.35; }
        .remark { font-size: 12px; line-height: 1.35; color: var(--quiet); }
        .replay { font-size: 13px; color: var(--quiet); margin: 0; max-width: none; }
        .replay code { color: var(--ink); background: var(--track); padding: 2px 6px;
          border-radius: 4px; overflow-wrap: anywhere; }
        footer { margin-top: 44px; padding-top: 16px; border-top: 1px solid var(--rule);
          font-size: 13px; }
        """ + charts + tables + waterfalls + schedules + print

    private static let charts = """

        figure { margin: 18px 0 8px; position: relative; }
        figcaption { display: flex; flex-wrap: wrap; gap: 2px 16px; align-items: baseline;
          font-size: 13px; margin-bottom: 8px; }
        figcaption strong { font-size: 14px; }
        .key { color: var(--quiet); white-space: nowrap; }
        .key i { display: inline-block; width: 11px; height: 11px; border-radius: 2px;
          margin-right: 5px; vertical-align: -1px; background: currentColor; }
        .plot { display: grid; grid-template-columns: 56px minmax(0, 1fr); }
        .pan { overflow-x: auto; overflow-y: hidden; }
        .wide { width: calc(100% * var(--zoom, 1)); min-width: 100%; }
        .zoom { margin-left: auto; display: flex; gap: 4px; }
        .zoom button { font: inherit; font-size: 12px; color: var(--quiet); padding: 0 7px;
          background: var(--raised); border: 1px solid var(--rule); border-radius: 4px;
          cursor: pointer; }
        .zoom button[aria-pressed="true"] { color: var(--ink); border-color: var(--quiet); }
        .grid-of-charts { display: grid; gap: 0 28px;
          grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr)); }
        .grid-of-charts .canvas { height: 120px; }
        .grid-of-charts .x .minor { display: none; }
        .panels .canvas { height: 110px; }
        .panels figure { margin: 10px 0 0; }
        .panels figure:not(:last-child) .x span { display: none; }
        .panels figure:not(:last-child) .x { height: 6px; }
        .panels figure:not(:last-child) .y { margin-bottom: 6px; }
        .canvas { position: relative; height: clamp(180px, 26vw, 260px);
          border-bottom: 1px solid var(--rule); }
        .canvas svg { display: block; width: 100%; height: 100%; overflow: hidden; }
        .y { position: relative; margin-bottom: 22px; }
        .x { position: relative; height: 22px; }
        .y span, .x span { position: absolute; font-size: 12px; line-height: 1; white-space: nowrap;
          color: var(--quiet); }
        .y span { right: 8px; transform: translateY(-50%); }
        .x span { top: 7px; transform: translateX(-50%); }
        .x .first { transform: none; }
        .x .last { transform: translateX(-100%); }
        path { vector-effect: non-scaling-stroke; fill: none; }
        .grid { stroke: var(--grid); stroke-width: 1; }
        .mark { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 4 3; opacity: 0.65; }
        .limit { stroke: var(--bad); stroke-width: 1.4; stroke-dasharray: 7 3; }
        .limit-label { position: absolute; left: 0; padding: 0 5px; font-size: 12px;
          line-height: 1.3; background: var(--ground); opacity: 0.92; white-space: nowrap;
          transform: translateY(-50%); }
        .dots { stroke-width: 6; stroke-linecap: round; }
        .bars { stroke-width: 1.4; }
        .strips { display: grid; grid-template-columns: max-content minmax(6em, 1fr) max-content;
          gap: 2px 12px; align-items: center; font-size: 13px; }
        .strips svg { display: block; width: 100%; height: 20px; color: var(--quiet); }
        .strips svg.good { color: var(--good); } .strips svg.worse { color: var(--bad); }
        .strips .bars, .strips .dots { stroke: currentColor; }
        .strips .zero { stroke: var(--rule); stroke-width: 1; }
        @media (max-width: 640px) {
          .strips { grid-template-columns: minmax(0, 1fr) max-content;
            grid-auto-flow: dense; }
          .strips svg { grid-column: 1 / -1; }
        }
        .strips .far { text-align: right; font-variant-numeric: tabular-nums; }
        .axis { margin: 0; max-width: none; text-align: right; font-size: 12px;
          color: var(--quiet); }
        .window { fill: var(--window); opacity: 0.16; }
        .mark-label { position: absolute; padding: 0 5px; font-size: 12px;
          line-height: 1.4; background: var(--ground); opacity: 0.92; white-space: nowrap; }
        .mark-label.left { transform: translateX(-100%); }
        .line { stroke-width: 1.8; stroke-linejoin: round; }
        .area.first { fill: var(--first); } .area.retry { fill: var(--retry); }
        .area.refresh { fill: var(--refresh); } .area.wire { fill: var(--wire); }
        .area.failed { fill: var(--fail); } .key .failed { background: var(--fail); }
        .key .first { background: var(--first); } .key .retry { background: var(--retry); }
        .key .refresh { background: var(--refresh); } .key .wire { background: var(--wire); }
        /* Lines differ by their dashes too, for those who do not tell the colours apart. */
        .line-first, .line-p50 { color: var(--first); }
        .line-first { stroke-dasharray: 16 3; }
        .line-retry, .line-p95 { color: var(--retry); stroke-dasharray: 8 3; }
        .line-refresh, .line-p99 { color: var(--refresh); stroke-dasharray: 2 2.5; }
        .line-wire { color: var(--wire); stroke-dasharray: 10 3 2 3; }
        .line-goodput { color: var(--ink); } .line-answered { color: var(--quiet); }
        .line-answered { stroke-dasharray: 8 3 2 3 2 3; }
        path[class*="line-"] { stroke: currentColor; }
        path.dots, path.bars { stroke-dasharray: none; }
        .key [class^="line-"] { width: 20px; height: 0; border-radius: 0; background: none;
          border-top: 2.5px solid; vertical-align: 4px; }
        .key .line-retry, .key .line-p95, .key .line-answered { border-top-style: dashed; }
        .key .line-wire { border-top-style: double; }
        .key .line-refresh, .key .line-p99 { border-top-style: dotted; }
        .shade-1 { opacity: 0.12; } .shade-2 { opacity: 0.24; } .shade-3 { opacity: 0.38; }
        .shade-4 { opacity: 0.52; } .shade-5 { opacity: 0.67; } .shade-6 { opacity: 0.83; }
        figure details { margin: 6px 0 0 56px; font-size: 13px; color: var(--quiet); }
        details { font-size: 13px; color: var(--quiet); }
        summary { cursor: pointer; max-width: 100%; }
        details .scroll { max-height: 320px; color: var(--ink); margin-top: 6px; }
        .tip { position: absolute; z-index: 2; pointer-events: none; background: var(--raised);
          border: 1px solid var(--rule); border-radius: 6px; padding: 6px 10px; font-size: 12px;
          line-height: 1.5; white-space: pre; box-shadow: 0 2px 10px rgb(0 0 0 / 0.14); }

        """

    private static let tables = """

        /* The shadows at the sides show only where a table goes on beyond them. */
        .scroll { overflow: auto; background:
          linear-gradient(to right, var(--ground) 30%, transparent) 0 0 / 36px 100% no-repeat local,
          linear-gradient(to left, var(--ground) 30%, transparent) 100% 0 / 36px 100%
          no-repeat local,
          linear-gradient(to right, var(--rule), transparent) left / 12px 100% no-repeat scroll,
          linear-gradient(to left, var(--rule), transparent) right / 12px 100% no-repeat scroll; }
        table { border-collapse: collapse; font-size: 13.5px; }
        .scroll table { min-width: min(100%, 420px); }
        th, td { padding: 4px 14px 4px 0; text-align: right; vertical-align: baseline; }
        th { font-weight: 500; font-size: 12px; color: var(--quiet); vertical-align: bottom;
          border-bottom: 1px solid var(--rule); position: sticky; top: 0;
          background: var(--ground); }
        td { border-bottom: 1px solid var(--grid); }
        td { white-space: nowrap; }
        .t, .p, .b { text-align: left; }
        td.p, td.b { white-space: normal; }
        pre.data { margin: 6px 0 0; font-size: 12px; }
        td.p { min-width: 110px; max-width: 60ch; }
        td.b { min-width: 90px; width: 160px; }
        .bar { display: block; height: 9px; border-radius: 2px; min-width: 1px; }
        .fill-first { background: var(--first); } .fill-retry { background: var(--retry); }
        .fill-refresh { background: var(--refresh); } .fill-quiet { background: var(--quiet); }
        .fill-good { background: var(--good); } .fill-bad { background: var(--bad); }
        .can-sort button { font: inherit; color: inherit; text-align: inherit; padding: 0;
          background: none; border: 0; cursor: pointer; }
        th[aria-sort="ascending"] button::after { content: " ↑"; }
        th[aria-sort="descending"] button::after { content: " ↓"; }
        @media (max-width: 1000px) { table { font-size: 12.5px; } th, td { padding-right: 9px; } }
        @media (max-width: 640px) {
          .tiles { grid-template-columns: 1fr 1fr; }
          .tiles div:last-child:nth-child(odd) { grid-column: 1 / -1; }
          .x .minor { display: none; }
          .plot { grid-template-columns: 48px 1fr; }
          details { margin-left: 0; }
          table { font-size: 12px; }
          th, td { padding-right: 8px; }
          .scroll table { min-width: 0; }
          td.t { white-space: normal; min-width: 11ch; }
          td.t:empty, .sortable td.t:first-child { min-width: 0; }
          .noted td.t, .noted td.p, .noted th:first-child { overflow-wrap: anywhere; }
          .noted td.p { min-width: 11ch; }
          td.b { min-width: 28px; width: 40px; }
          .noted { display: grid; width: 100%;
            grid-template-columns: minmax(11ch, 1fr) repeat(var(--figures), auto); }
          .noted thead, .noted tbody, .noted tr { display: grid; grid-column: 1 / -1;
            grid-template-columns: subgrid; }
          .noted tr { border-bottom: 1px solid var(--grid); }
          .noted td { border-bottom: 0; }
          .noted .p:last-child { grid-column: 1 / -1; max-width: none; padding-top: 0;
            color: var(--quiet); }
          .noted td.p:last-child:empty, .noted th.p:last-child { display: none; }
        }

        """

    private static let waterfalls = """

        .example { margin: 10px 0; }
        .example summary { color: var(--ink); font-size: 13.5px; }
        .laws summary { font-size: 15px; color: var(--ink); }
        .waterfall { margin: 8px 0 14px; color: var(--ink); }
        .call { display: grid; grid-template-columns: 150px minmax(0, 1fr) 190px; gap: 10px;
          font-size: 12.5px; line-height: 1.7; align-items: center; }
        .call .who { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .call .track { position: relative; height: 12px; background: var(--track);
          border-radius: 2px; }
        .track i { position: absolute; top: 1px; height: 10px; min-width: 2px;
          border-radius: 2px; }
        .track .held { height: 0; top: 5px; min-width: 0; border-radius: 0;
          border-top: 2px dashed var(--quiet); }
        .track .queued { background: var(--quiet); opacity: 0.45; min-width: 0; }
        .track .ok { background: var(--first); } .track .expired { background: var(--retry); }
        .track .failed { background: var(--fail); } .track .refresh { background: var(--refresh); }
        .call .end { white-space: nowrap; color: var(--quiet); }
        .call .end.failed { color: var(--bad); }
        .call.feet .track { background: none; display: flex; justify-content: space-between; }
        .call.feet b { font-weight: 400; color: var(--quiet); }
        @media (max-width: 640px) {
          .call { grid-template-columns: 96px minmax(0, 1fr); }
          .call .end { grid-column: 2; line-height: 1.2; margin-bottom: 4px; }
        }

        """

    private static let schedules = """

        .entries { display: grid; gap: 4px; margin: 8px 0; }
        .entries div { display: flex; gap: 12px; }
        .entries dt { flex: 0 0 72px; } .entries dd { font-weight: 400; max-width: 90ch; }
        .critical { background: var(--critical); }
        .pair { display: grid; gap: 20px; align-items: start;
          grid-template-columns: repeat(auto-fit, minmax(min(100%, 620px), 1fr)); }
        .pair figure { min-width: 0; max-width: 860px; }
        .lanes { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; }
        .lanes svg { display: block; width: 100%; }
        .lanes .portrait { display: none; }
        @media (max-width: 640px) {
          .lanes .landscape { display: none; } .lanes .portrait { display: block; }
        }
        .lanes text { font: 11.5px system-ui, sans-serif; fill: var(--ink); }
        .lanes .lane { fill: var(--quiet); font-weight: 600; text-anchor: middle; }
        .lanes .portrait .lane { text-anchor: start; }
        .lanes .time { fill: var(--quiet); }
        .lanes .critical .time, .lanes .broken .time { fill: var(--ink); }
        .lanes .life { stroke: var(--rule); stroke-width: 1; }
        .lanes .label { paint-order: stroke; stroke: var(--ground); stroke-width: 3px; }
        .lanes .band { fill: transparent; } .lanes .row:hover .band { fill: var(--grid); }
        .lanes .dot { fill: var(--ink); }
        .lanes .arrow { stroke: var(--wire); stroke-width: 1.4; }
        .lanes .critical .band { fill: var(--critical); }
        .lanes .broken .band { fill: var(--broken); }
        .lanes .critical .label { stroke: var(--critical); font-weight: 700; }
        .lanes .broken .label { stroke: var(--broken); font-weight: 700; fill: var(--bad); }
        .lanes .broken .dot { fill: var(--bad); }
        .lanes .row:hover .label { stroke: none; }

        """

    private static let print = """

        @media print {
          @page { size: A4 landscape; margin: 11mm; }
          :root { --ground: #ffffff; --raised: #ffffff; }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          main { max-width: none; padding: 0; }
          body { font-size: 12px; }
          .scroll, .pan { overflow: visible; background: none; }
          .wide { width: 100%; }
          table { width: 100%; font-size: 9.5px; }
          th { font-size: 9px; position: static; }
          th, td { padding: 2px 7px 2px 0; }
          td.t, td.p { white-space: normal; overflow-wrap: anywhere; min-width: 0; }
          td.b { width: 90px; min-width: 40px; }
          thead { display: table-header-group; }
          tr, figure, .tiles, header { break-inside: avoid; }
          h2, h3 { break-after: avoid; }
          figure details, .zoom, nav { display: none; }
          .lanes svg { max-height: 130mm; }
          .pair { grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); }
          .canvas { height: 150px; }
        }

        """
}
