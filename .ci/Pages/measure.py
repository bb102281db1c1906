"""Measures the pages of a folder in Chromium; see .ci/pages."""

import html, itertools, json, pathlib, re, subprocess, sys

FOLDER = pathlib.Path(sys.argv[1])
SCRIPT = (pathlib.Path(__file__).parent / "measure.js").read_text()
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--allow-file-access-from-files", "--virtual-time-budget=4000"]


def chromium(*arguments):
    return subprocess.run([*CHROMIUM, *map(str, arguments)], capture_output=True, text=True,
                          timeout=180).stdout


def measured(page, width, is_dark):
    """What the script tells of a page in a frame of some width."""
    copy = FOLDER / f"{page.stem}.measured.html"
    copy.write_text(page.read_text() + f"<script>{SCRIPT}</script>")
    frame = FOLDER / f"{page.stem}.frame.html"
    frame.write_text(
        f'<!DOCTYPE html><meta name="color-scheme" content="{"dark" if is_dark else "light"}">'
        '<body style="margin:0"><pre id="told"></pre><script>addEventListener("message",'
        '(event) => { document.getElementById("told").textContent = event.data; });</script>'
        f'<iframe src="{copy.name}" style="border:0;width:{width}px;height:3000px"></iframe>')
    shown = chromium(f"--window-size={max(width, 600)},3000",
                     f"--blink-settings=preferredColorScheme={0 if is_dark else 1}",
                     "--dump-dom", frame.as_uri())
    told = re.search(r'<pre id="told">(.*?)</pre>', shown, re.S)
    if not told or not told[1]:
        sys.exit(f"pages: {page.name} told nothing at {width} px")
    chromium(f"--window-size={max(width, 600)},3000",
             f"--blink-settings=preferredColorScheme={0 if is_dark else 1}",
             f"--screenshot={FOLDER / page.stem}-{width}{'-dark' if is_dark else ''}.png",
             frame.as_uri())
    copy.unlink()
    frame.unlink()
    return json.loads(html.unescape(told[1]))


def printed(page, headings):
    """What is wrong with a page on paper."""
    paper = FOLDER / f"{page.stem}.pdf"
    chromium("--no-pdf-header-footer", f"--print-to-pdf={paper}", page.as_uri())
    text = subprocess.run(["pdftotext", "-layout", str(paper), "-"], capture_output=True,
                          text=True, check=True).stdout
    sheets = [[" ".join(line.split()) for line in sheet.splitlines() if line.strip()]
              for sheet in text.split("\f")]
    sheets = [sheet for sheet in sheets if sheet]
    problems = [f"“{sheet[-1]}” stands alone at the foot of sheet {number}"
                for number, sheet in enumerate(sheets, 1) if sheet[-1][:60] in headings]
    problems += [f"sheet {number} of {len(sheets)} is nearly empty"
                 for number, sheet in enumerate(sheets[:-1], 1) if len(sheet) < 6]
    return len(sheets), problems


found = 0
for page in sorted(FOLDER.glob("*.html")):
    headings = []
    for width, is_dark in itertools.product([320, 400, 768, 1280], [False, True]):
        told = measured(page, width, is_dark)
        headings = told["headings"]
        line = f"{told['line']:.1f}" if told["line"] else "–"
        print(f"{page.stem:13} {width:4} px {'dark ' if is_dark else 'light'}"
              f"  contrast of text ≥ {told['text']:.1f}, of lines ≥ {line},"
              f" text ≥ {told['size']:.0f} px, problems {len(told['problems'])}")
        for problem in told["problems"]:
            print("    " + problem)
        found += len(told["problems"])
    sheets, problems = printed(page, headings)
    print(f"{page.stem:13} printed        {sheets} sheets, problems {len(problems)}")
    for problem in problems:
        print("    " + problem)
    found += len(problems)
sys.exit(1 if found else 0)
