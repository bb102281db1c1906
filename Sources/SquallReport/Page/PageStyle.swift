/// The page's style sheet; it must hold neither `<` nor `&`.
enum PageStyle {
    static let source = """

        :root {
          color-scheme: light dark;
          --ground: #fbfaf8; --raised: #ffffff; --ink: #20242a; --quiet: #606a76;
          --rule: #dfdfdb; --grid: #ebebe7; --good: #1f7a4d; --bad: #b3362b; --part: #8a6d00;
          --first: #4477aa; --retry: #c9a227; --refresh: #aa3377; --wire: #2f6f9f;
          --track: #eeeeea;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #14171b; --raised: #1a1e23; --ink: #e6e8ea; --quiet: #98a2ad;
            --rule: #30363d; --grid: #262b31; --good: #5cc28f; --bad: #f0857a; --part: #e0bf55;
            --first: #6c9fd2; --retry: #d8bb52; --refresh: #d673ab; --wire: #66ace0;
            --track: #262b31;
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body {
          margin: 0; background: var(--ground); color: var(--ink);
          font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, sans-serif;
          font-variant-numeric: tabular-nums lining-nums;
        }
        main { max-width: 1120px; margin: 0 auto; padding: 28px clamp(14px, 4vw, 48px) 56px; }
        h1 { font-size: clamp(24px, 5vw, 34px); line-height: 1.2; margin: 2px 0 8px;
          letter-spacing: -0.015em; overflow-wrap: anywhere; }
        h2 { font-size: 20px; letter-spacing: -0.01em; margin: 0 0 4px; }
        h3 { font-size: 15px; margin: 26px 0 6px; }
        section { margin-top: 40px; padding-top: 20px; border-top: 1px solid var(--rule); }
        code { font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
        a { color: inherit; text-underline-offset: 2px; }
        p { max-width: 74ch; margin: 0 0 12px; }
        li { max-width: 74ch; }
        ul { padding-left: 1.2em; margin: 0 0 12px; }
        .note, .absent, footer, .brand { color: var(--quiet); }
        .absent { font-style: italic; margin: 0; }
        .brand { font-size: 13px; margin: 0; }
        .question { font-size: 17px; line-height: 1.45; }
        header { border-left: 5px solid var(--part); padding-left: clamp(12px, 2vw, 20px); }
        header.passed { border-color: var(--good); }
        header.failed { border-color: var(--bad); }
        .verdict { color: var(--part); white-space: nowrap; }
        .passed .verdict, .good { color: var(--good); }
        .failed .verdict, .bad { color: var(--bad); }
        .facts { display: flex; flex-wrap: wrap; gap: 6px 28px; margin: 14px 0; }
        dt { font-size: 12px; color: var(--quiet); }
        dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
        .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(158px, 1fr));
          gap: 10px; margin: 18px 0; }
        .tiles div { background: var(--raised); border: 1px solid var(--rule); border-radius: 8px;
          padding: 10px 12px; }
        .tiles span { display: block; }
        .name { font-size: 12px; color: var(--quiet); }
        .value { font-size: 24px; font-weight: 650; letter-spacing: -0.01em; line-height: 1.35; }
        .remark { font-size: 12px; line-height: 1.35; color: var(--quiet); }
        .replay { font-size: 13px; color: var(--quiet); margin: 0; max-width: none; }
        .replay code { color: var(--ink); background: var(--track); padding: 2px 6px;
          border-radius: 4px; overflow-wrap: anywhere; }
        .findings li { margin-bottom: 8px; }
        footer { margin-top: 44px; padding-top: 16px; border-top: 1px solid var(--rule);
          font-size: 13px; }
        """ + charts + tables

    private static let charts = """

        figure { margin: 18px 0 8px; position: relative; }
        figcaption { display: flex; flex-wrap: wrap; gap: 2px 16px; align-items: baseline;
          font-size: 13px; margin-bottom: 8px; }
        figcaption strong { font-size: 14px; }
        .key { color: var(--quiet); white-space: nowrap; }
        .key i { display: inline-block; width: 11px; height: 11px; border-radius: 2px;
          margin-right: 5px; vertical-align: -1px; background: currentColor; }
        .plot { display: grid; grid-template-columns: 56px 1fr; }
        .canvas { position: relative; height: clamp(180px, 26vw, 260px);
          border-bottom: 1px solid var(--rule); }
        .canvas svg { display: block; width: 100%; height: 100%; overflow: hidden; }
        .y { position: relative; }
        .x { grid-column: 2; position: relative; height: 22px; }
        .y span, .x span { position: absolute; font-size: 12px; line-height: 1; white-space: nowrap;
          color: var(--quiet); }
        .y span { right: 8px; transform: translateY(-50%); }
        .x span { top: 7px; transform: translateX(-50%); }
        .x .first { transform: none; }
        .x .last { transform: translateX(-100%); }
        path { vector-effect: non-scaling-stroke; fill: none; }
        .grid { stroke: var(--grid); stroke-width: 1; }
        .mark { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 4 3; opacity: 0.65; }
        .mark-label { position: absolute; padding: 0 5px; font-size: 12px;
          line-height: 1.4; background: var(--ground); opacity: 0.92; white-space: nowrap; }
        .mark-label.left { transform: translateX(-100%); }
        .line { stroke-width: 1.8; stroke-linejoin: round; }
        .area.first { fill: var(--first); } .area.retry { fill: var(--retry); }
        .area.refresh { fill: var(--refresh); } .area.wire { fill: var(--wire); }
        .line-first { stroke: var(--first); } .line-retry { stroke: var(--retry); }
        .line-refresh { stroke: var(--refresh); } .line-wire { stroke: var(--wire); }
        .line-goodput { stroke: var(--ink); }
        .line-answered { stroke: var(--quiet); stroke-dasharray: 5 3; }
        .key .first { background: var(--first); } .key .retry { background: var(--retry); }
        .key .refresh { background: var(--refresh); } .key .wire { background: var(--wire); }
        .key .goodput { background: var(--ink); height: 3px; vertical-align: 3px; }
        .key .answered { background: var(--quiet); height: 3px; vertical-align: 3px; }
        .shade-1 { opacity: 0.12; } .shade-2 { opacity: 0.24; } .shade-3 { opacity: 0.38; }
        .shade-4 { opacity: 0.52; } .shade-5 { opacity: 0.67; } .shade-6 { opacity: 0.83; }
        details { margin: 6px 0 0 56px; font-size: 13px; color: var(--quiet); }
        summary { cursor: pointer; width: max-content; }
        details .scroll { max-height: 320px; color: var(--ink); margin-top: 6px; }
        .tip { position: absolute; z-index: 2; pointer-events: none; background: var(--raised);
          border: 1px solid var(--rule); border-radius: 6px; padding: 6px 10px; font-size: 12px;
          line-height: 1.5; white-space: pre; box-shadow: 0 2px 10px rgb(0 0 0 / 0.14); }

        """

    private static let tables = """

        .scroll { overflow: auto; }
        table { border-collapse: collapse; font-size: 13.5px; }
        .scroll table { min-width: min(100%, 420px); }
        th, td { padding: 4px 14px 4px 0; text-align: left; vertical-align: baseline; }
        th { font-weight: 500; font-size: 12px; color: var(--quiet); white-space: nowrap;
          border-bottom: 1px solid var(--rule); position: sticky; top: 0;
          background: var(--ground); }
        td { border-bottom: 1px solid var(--grid); }
        td.n, th.n { text-align: right; white-space: nowrap; }
        td.t { white-space: nowrap; }
        td.p { min-width: 150px; max-width: 74ch; }
        td.b { min-width: 90px; width: 160px; }
        .bar { display: block; height: 9px; border-radius: 2px; min-width: 1px; }
        .fill-first { background: var(--first); } .fill-retry { background: var(--retry); }
        .fill-refresh { background: var(--refresh); } .fill-quiet { background: var(--quiet); }
        .fill-good { background: var(--good); } .fill-bad { background: var(--bad); }
        .can-sort th { cursor: pointer; }
        @media (max-width: 640px) {
          .x .minor { display: none; }
          .plot { grid-template-columns: 48px 1fr; }
          details { margin-left: 0; }
          table { font-size: 12px; }
          th, td { padding-right: 8px; }
          .scroll table { min-width: 0; }
          td.t { white-space: normal; overflow-wrap: break-word; }
          td.b { min-width: 28px; width: 40px; }
        }
        @media print { details { display: none; } section { break-inside: avoid; } }

        """
}
