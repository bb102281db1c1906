/// How pages about schedules look, in light and dark.
///
/// It must hold neither `<` nor `&`.
public enum SchedulePageStyle {
    /// The style sheet.
    public static let source = """

        :root { color-scheme: light dark; --ground: #fff; --ink: #1c1f24; --quiet: #5d6570;
          --rule: #d5d9df; --grid: #eceff3; --good: #1a7f4b; --bad: #c2321f; --wire: #2a6fbb;
          --critical: #fff0c2; --broken: #fde3df; }
        @media (prefers-color-scheme: dark) { :root { --ground: #14171b; --ink: #e8eaed;
          --quiet: #9aa3ad; --rule: #363c44; --grid: #23282e; --good: #4cc38a; --bad: #ff8573;
          --wire: #6cb0f5; --critical: #4a3c10; --broken: #4d211b; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--ink);
          font: 15px/1.5 system-ui, sans-serif; }
        main { max-width: 1500px; margin: 0 auto; padding: 20px 24px 60px; }
        header { border-bottom: 3px solid var(--rule); padding-bottom: 12px; }
        header.passed { border-color: var(--good); } header.failed { border-color: var(--bad); }
        header.unjudged { border-color: var(--rule); }
        .passed .verdict { color: var(--good); } .failed .verdict { color: var(--bad); }
        .brand, .note, dt, figcaption { color: var(--quiet); font-size: 13px; }
        h1 { font-size: 26px; margin: 4px 0; } h2 { font-size: 18px; margin: 28px 0 4px; }
        p { margin: 4px 0; max-width: 90ch; } .statement { font-weight: 600; }
        .order { background: var(--critical); padding: 6px 10px; border-radius: 4px;
          width: fit-content; }
        code { background: var(--grid); padding: 1px 5px; border-radius: 3px; font-size: 13px;
          overflow-wrap: anywhere; }
        .pair { display: grid; gap: 20px;
          grid-template-columns: repeat(auto-fit, minmax(min(100%, 620px), 1fr));
          margin-top: 10px; align-items: start; }
        figure { margin: 0; min-width: 0; max-width: 860px; } figcaption { font-weight: 600; }
        .lanes, .scroll { overflow-x: auto; border: 1px solid var(--rule); border-radius: 6px; }
        .lanes svg { display: block; width: 100%; min-width: 640px; }
        svg text { font: 11.5px system-ui, sans-serif; fill: var(--ink); }
        svg .lane { fill: var(--quiet); font-weight: 600; text-anchor: middle; }
        svg .time { fill: var(--quiet); font-size: 10.5px; }
        svg .life { stroke: var(--rule); stroke-width: 1; }
        svg .label { paint-order: stroke; stroke: var(--ground); stroke-width: 3px; }
        svg .band { fill: transparent; } svg .row:hover .band { fill: var(--grid); }
        svg .dot { fill: var(--ink); } svg .arrow { fill: none; stroke: var(--wire);
          stroke-width: 1.4; }
        svg .critical .band { fill: var(--critical); } svg .broken .band { fill: var(--broken); }
        svg .critical .label { stroke: var(--critical); font-weight: 700; }
        svg .broken .label { stroke: var(--broken); font-weight: 700; fill: var(--bad); }
        svg .broken .dot { fill: var(--bad); }
        svg .row:hover .label { stroke: none; }
        dl { display: flex; flex-wrap: wrap; gap: 8px 28px; margin: 8px 0; } dd { margin: 0;
          font-weight: 600; }
        table.pairs { border-collapse: collapse; font-size: 12.5px; }
        .pairs th { text-align: left; font-weight: 500; color: var(--quiet); padding: 3px 10px;
          white-space: nowrap; } .pairs td { text-align: center; border: 1px solid var(--grid); }
        .pairs .seen { color: var(--wire); } .pairs .unseen { color: var(--rule); }
        @media (max-width: 640px) { main { padding: 14px 12px 40px; } h1 { font-size: 21px; } }

        """
}
