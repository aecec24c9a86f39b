// Draws each rating table as a line plot, with uPlot. Without this script the tables can be read.
"use strict";

(() => {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const HEIGHT = 320;
  const drawn = [];

  // One column of the plot for each row, and a gap before a new version: its rating starts again.
  function read(table) {
    const plot = { high: [], low: [], mu: [], matches: [], seasons: [], versions: [] };
    const add = (values, match) => {
      ["mu", "low", "high"].forEach((name, index) => plot[name].push(values[index]));
      plot.matches.push(match);
    };
    for (const row of table.tBodies[0].rows) {
      const [match, ...cells] = row.cells;
      if (row.dataset.version && plot.mu.length) add([null, null, null], "");
      const at = plot.mu.length;
      if (row.dataset.season) plot.seasons.push({ at, text: row.dataset.season });
      if (row.dataset.version) plot.versions.push({ at, text: row.dataset.version });
      add(cells.slice(0, 3).map((cell) => Number(cell.dataset.value)), match.querySelector("a").textContent);
    }
    return plot;
  }

  // Without a pointer the legend shows the newest match.
  function rest(plot) {
    if (plot.legend.idx == null) plot.setLegend({ idx: plot.data[0].length - 1 }, false);
  }

  // A thin vertical line with a label wherever a new version started.
  function mark(plot, versions) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.setLineDash([]);
    ctx.textAlign = "left";
    ctx.textBaseline = "alphabetic";
    ctx.strokeStyle = ctx.fillStyle = colour("--warn");
    ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
    for (const { at, text } of versions) {
      const x = Math.round(plot.valToPos(at, "x", true));
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.fillText(text, x + 4 * devicePixelRatio, bbox.top + 12 * devicePixelRatio);
    }
    ctx.restore();
  }

  function draw(holder) {
    const { high, low, mu, matches, seasons, versions } = read(document.getElementById(holder.dataset.table));
    const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "13px system-ui, sans-serif" };
    const line = (label, more) => ({ label, value: (_, at) => (at == null ? "–" : at.toFixed(1)), points: { show: mu.length < 3 }, ...more });
    const plot = new uPlot({
      width: holder.clientWidth - 16,
      height: HEIGHT,
      scales: {
        x: { time: false, range: [0, Math.max(1, mu.length - 1)] },
        y: { range: (_, low, high) => [Math.min(0, Math.floor(low)), Math.ceil(high) + 1] },
      },
      cursor: { drag: { x: false, y: false }, points: { size: 8 } },
      axes: [
        { ...axis, size: 32, splits: () => seasons.map(({ at }) => at), values: () => seasons.map(({ text }) => text), align: 1 },
        { ...axis, size: 40 },
      ],
      bands: [{ series: [1, 2], fill: colour("--accent-soft") }],
      series: [
        { label: "match", value: (_, at) => (at == null ? "" : matches[at]) },
        line("to", { stroke: colour("--strong-line"), width: 1 }),
        line("from", { stroke: colour("--strong-line"), width: 1 }),
        line("rating", { stroke: colour("--accent"), width: 3 }),
      ],
      hooks: { draw: [(drawing) => mark(drawing, versions)], ready: [rest], setLegend: [rest] },
    }, [mu.map((_, at) => at), high, low, mu], holder);
    drawn.push({ holder, plot });
  }

  function all() {
    drawn.splice(0).forEach(({ plot }) => plot.destroy());
    document.querySelectorAll(".plot").forEach((holder) => { holder.hidden = false; draw(holder); });
  }

  all();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
  new ResizeObserver(() => drawn.forEach(({ holder, plot }) => {
    const width = holder.clientWidth - 16;
    if (width > 0 && width !== plot.width) plot.setSize({ width, height: HEIGHT });
  })).observe(document.getElementById("main"));
})();
