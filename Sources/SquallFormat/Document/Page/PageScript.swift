/// The page's script: it can sort tables, widen long charts, and show numbers under the pointer.
///
/// It must contain neither `<` nor `&`.
enum PageScript {
    static let source = """

        "use strict";
        (function () {
          /* When the file was written is known to the reader's file system and is not in the page,
             whose bytes are the same for the same seed, profile and version. Over http without
             such a header it would be the time of reading. */
          var brand = document.querySelector(".brand");
          if (location.protocol === "file:") {
            var written = new Date(document.lastModified);
            written.setMinutes(written.getMinutes() - written.getTimezoneOffset());
            brand?.append(" · written " + written.toISOString().slice(0, 16).replace("T", " "));
          }
        })();
        document.querySelectorAll("table.sortable").forEach(function (table) {
          table.classList.add("can-sort");
          table.querySelectorAll("th").forEach(function (heading, column) {
            var button = document.createElement("button");
            button.type = "button";
            while (heading.firstChild !== null) { button.appendChild(heading.firstChild); }
            heading.appendChild(button);
            button.addEventListener("click", function () {
              var isUp = heading.getAttribute("aria-sort") !== "ascending";
              var body = table.tBodies[0];
              var key = function (row) {
                var cell = row.cells[column];
                var number = Number(cell.dataset.key ?? cell.textContent);
                return isNaN(number) ? cell.textContent : number;
              };
              Array.from(body.rows).sort(function (one, other) {
                var a = key(one), b = key(other);
                return a === b ? 0 : ((a > b) === isUp ? 1 : -1);
              }).forEach(function (row) { body.appendChild(row); });
              table.querySelectorAll("th").forEach(function (other) {
                other.removeAttribute("aria-sort");
              });
              heading.setAttribute("aria-sort", isUp ? "ascending" : "descending");
            });
          });
        });
        document.querySelectorAll("figure").forEach(function (figure) {
          var pan = figure.querySelector(".pan.grows");
          if (pan === null) { return; }
          var bar = document.createElement("span");
          bar.className = "zoom";
          [1, 2, 4, 8].forEach(function (factor) {
            var button = document.createElement("button");
            button.type = "button";
            button.textContent = factor + "×";
            button.setAttribute("aria-pressed", factor === 1 ? "true" : "false");
            button.addEventListener("click", function () {
              var middle = (pan.scrollLeft + pan.clientWidth / 2) / pan.scrollWidth;
              pan.firstElementChild.style.setProperty("--zoom", factor);
              pan.scrollLeft = middle * pan.scrollWidth - pan.clientWidth / 2;
              bar.querySelectorAll("button").forEach(function (other) {
                other.setAttribute("aria-pressed", other === button ? "true" : "false");
              });
            });
            bar.appendChild(button);
          });
          figure.querySelector("figcaption").appendChild(bar);
        });
        document.querySelectorAll("figure").forEach(function (figure) {
          var canvas = figure.querySelector(".canvas");
          var data = figure.querySelector(".data");
          if (canvas === null || data === null) { return; }
          var told = data.dataset.at.split(" ").map(Number);
          var rows = data.textContent.split("\\n").map(function (row) { return row.split("\\t"); });
          var names = rows.shift();
          var places = told.length === rows.length ? told : rows.map(function (row, index) {
            return told[0] + (told[1] - told[0]) * index / (rows.length - 1);
          });
          var tip = document.createElement("div");
          tip.className = "tip";
          tip.hidden = true;
          canvas.appendChild(tip);
          canvas.addEventListener("pointerleave", function () { tip.hidden = true; });
          canvas.addEventListener("pointermove", function (event) {
            var box = canvas.getBoundingClientRect();
            var at = 1000 * (event.clientX - box.left) / box.width;
            var distance = function (row) { return Math.abs(places[row] - at); };
            var nearest = places.reduce(function (best, place, row) {
              return distance(best) > distance(row) ? row : best;
            }, 0);
            var cells = rows[nearest];
            tip.textContent = cells.map(function (cell, index) {
              return names[index] + "  " + cell;
            }).filter(function (line, index) {
              return index === 0 || 8 > cells.length || parseFloat(cells[index]) !== 0;
            }).join("\\n");
            tip.hidden = false;
            var x = event.clientX - box.left;
            var left = x > box.width / 2 ? x - tip.offsetWidth - 14 : x + 14;
            tip.style.left = Math.max(0, Math.min(left, box.width - tip.offsetWidth)) + "px";
            tip.style.top = "8px";
          });
        });

        """
}
