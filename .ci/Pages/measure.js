// What of a page cannot be read: run inside a frame, it tells its parent.
"use strict";
(function () {
  const problems = new Set();
  const shortened = (text) => text.trim().replace(/\s+/g, " ").slice(0, 60);
  const colour = (text) => {
    const parts = (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    const scale = text.startsWith("color(") ? 255 : 1;
    return { rgb: parts.slice(0, 3).map((part) => part * scale), alpha: parts[3] ?? 1 };
  };
  const over = (front, alpha, back) =>
    front.map((part, index) => part * alpha + back[index] * (1 - alpha));
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const canvas = getComputedStyle(document.body).backgroundColor;
  // Every layer from the page up to the element; a row of a picture has its band behind it.
  const ground = (element) => {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      layers.push(colour(style.backgroundColor));
      const band = at.matches("g.row") ? at.querySelector(".band") : null;
      if (band !== null) { layers.push(colour(getComputedStyle(band).fill)); }
    }
    return layers.reverse().reduce(
      (back, layer) => over(layer.rgb, layer.alpha, back), colour(canvas).rgb);
  };
  const opacity = (element) => {
    let product = 1;
    for (let at = element; at !== null; at = at.parentElement) {
      product *= Number(getComputedStyle(at).opacity);
    }
    return product;
  };
  const seen = (element, front) => {
    const back = ground(element);
    return contrast(over(front.rgb, front.alpha * opacity(element), back), back);
  };
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true })
    && element.getClientRects().length > 0;

  let lowestText = Infinity, lowestLine = Infinity, smallest = Infinity;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() === "" || element.matches("script, style, title, option")
      || !isShown(element)) { continue; }
    const style = getComputedStyle(element);
    const isDrawn = element instanceof SVGElement;
    const ratio = seen(element, colour(isDrawn ? style.fill : style.color));
    lowestText = Math.min(lowestText, ratio);
    if (ratio < 4.5) {
      problems.add(`contrast ${ratio.toFixed(2)} of “${shortened(element.textContent)}”`);
    }
    const matrix = isDrawn ? element.getScreenCTM() : { a: 1, b: 0 };
    const scale = Math.hypot(matrix.a, matrix.b);
    const size = parseFloat(style.fontSize) * scale;
    smallest = Math.min(smallest, size);
    if (size < 9) {
      problems.add(`text of ${size.toFixed(1)} px: “${shortened(element.textContent)}”`);
    }
  }
  document.querySelectorAll("path.line, path.dots, path.bars, path.limit, .arrow").forEach((line) => {
    if (!isShown(line)) { return; }
    const ratio = seen(line, colour(getComputedStyle(line).stroke));
    lowestLine = Math.min(lowestLine, ratio);
    if (ratio < 3) { problems.add(`contrast ${ratio.toFixed(2)} of a line, ${line.className.baseVal}`); }
  });
  // Lines of one chart that only their colour tells apart.
  document.querySelectorAll("svg").forEach((drawing) => {
    const dashes = Array.from(drawing.querySelectorAll("path.line")).map(
      (line) => getComputedStyle(line).strokeDasharray + getComputedStyle(line).stroke);
    const kinds = new Set(dashes), patterns = new Set(dashes.map((dash) => dash.split("rgb")[0]));
    if (patterns.size < kinds.size) {
      problems.add(`lines differ by colour only: “${drawing.getAttribute("aria-label")}”`);
    }
  });

  const width = document.documentElement.clientWidth;
  const scrolls = (element) => element.closest(".scroll, .pan, .lanes, pre") !== null;
  if (document.documentElement.scrollWidth > width) {
    problems.add(`the page is ${document.documentElement.scrollWidth} px wide`);
  }
  document.querySelectorAll("body *").forEach((element) => {
    if (!isShown(element) || scrolls(element) || element.closest("svg") !== null) { return; }
    const box = element.getBoundingClientRect();
    if (box.width > 0 && (box.right > width + 1 || box.left < -1)) {
      problems.add(`outside the page: “${shortened(element.textContent)}”`);
    }
  });
  document.querySelectorAll(".lanes").forEach((frame) => {
    if (frame.scrollWidth > frame.clientWidth + 1) { problems.add("a timeline is cut off"); }
  });
  // Labels that stand on each other.
  document.querySelectorAll(".x, .y, .canvas, .lanes svg").forEach((frame) => {
    const labels = Array.from(frame.querySelectorAll(frame.matches("svg") ? "text" : ":scope > span"))
      .filter(isShown).map((label) => [label, label.getBoundingClientRect()]);
    labels.forEach(([one, a], index) => labels.slice(index + 1).forEach(([other, b]) => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 3) {
        problems.add(`“${shortened(one.textContent)}” and “${shortened(other.textContent)}” overlap`);
      }
    }));
  });
  document.querySelectorAll("td, th").forEach((cell) => {
    if (!isShown(cell)) { return; }
    const content = document.createRange();
    content.selectNodeContents(cell);
    if (content.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1) {
      problems.add(`“${shortened(cell.textContent)}” runs into the next column`);
    }
  });
  // What a pointer can do, a keyboard can.
  document.querySelectorAll("table.sortable th").forEach((heading) => {
    const button = heading.querySelector("button");
    if (button === null) { problems.add(`“${shortened(heading.textContent)}” sorts by pointer only`); }
  });
  const first = document.querySelector("table.sortable th button");
  if (first !== null) {
    first.click();
    if (first.parentElement.getAttribute("aria-sort") !== "ascending") {
      problems.add("a sorted column does not say so");
    }
  }
  const headings = Array.from(document.querySelectorAll("h2, h3, figcaption strong"))
    .map((heading) => shortened(heading.textContent));
  parent.postMessage(JSON.stringify({
    problems: Array.from(problems), headings,
    text: lowestText, line: lowestLine, size: smallest,
  }), "*");
})();
