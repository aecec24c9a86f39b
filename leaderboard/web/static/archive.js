// Shows a page of an archived site whose contents are packed, and the replays of an archived match.
// `shared` (shared.js) has the common parts of all these pages. The script loads nothing, so it also
// works in a page that is opened as a file.
"use strict";

(async () => {
  const shared = window.archived;
  const { root, then } = document.currentScript.dataset;
  const address = /^#(?:game-(\d+)-?)?(?:turn-(\d+))?$/;
  const [NAMES, OTHERS] = [0xe000, 0xe010];

  async function unpacked() {
    const bytes = Uint8Array.from(atob(document.getElementById("packed").textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  }

  // The state after each turn of a game, as archive/replay_data.py wrote it.
  function decoded(page, number) {
    const game = page.games[number];
    const usual = shared.usual[page.game] ?? { steps: [], patterns: [] };
    const patterns = [...usual.patterns, ...page.new.flat()];
    const ways = [...usual.steps, ...page.steps.flat()];
    const letters = (name) => { let at = 0; return () => page[name][number].charCodeAt(at++) - 48; };
    const words = (name) => { const all = page[name][number].split(" "); let at = 0; return () => all[at++]; };
    const [index, time] = [letters("indices"), letters("times")];
    const [card, added, figure] = [words("cards"), words("added"), words("numbers")];
    const rank = new Map(game.deck.map((name, at) => [name, at]));
    const suit = (name) => (/^[AE]\d/.test(name) ? name[0] : name.slice(1, 2));
    const after = (seat, places) => (seat + places) % game.seats;
    let dealt = 0;

    function deal(state) {
      const holders = [...page.deals[number].slice(dealt, dealt + game.deck.length)];
      dealt += game.deck.length;
      for (const seat of new Set(holders)) {
        if (seat !== ".") state[`${seat} cards`] = game.deck.filter((_, at) => holders[at] === seat);
      }
    }

    function turn(last, letter) {
      const pattern = patterns[letter.charCodeAt(0) - 48];
      const [offset, deals, ...steps] = [...pattern].map((each) => each.charCodeAt(0) - 48);
      const toAct = Object.keys(last).filter((slot) => slot.endsWith(" to_act"));
      const actor = offset === game.seats ? -1 : after(toAct.length === 1 ? parseInt(toAct[0], 10) : 0, offset);
      const first = Math.max(actor, 0);
      const state = { ...last };
      let played = null;
      const marked = (name) => `\ue100${name}\ue101`;
      if (deals) deal(state);

      function text(skeleton) {
        return skeleton.replace(/[\ue010-\ue01f\ue102-\ue104]/g, (mark) => {
          if (mark === "\ue102") return figure();
          if (mark === "\ue103") return marked(played);
          if (mark === "\ue104") return marked(card());
          return String.fromCharCode(NAMES + after(first, mark.charCodeAt(0) - OTHERS));
        });
      }

      function increased(old, spec) {
        let at = 0;
        return old.replace(/\ue100([^\ue101]*)\ue101|\d+(?:\.\d+)?/g, (found, name) => {
          if (name !== undefined) return name === played ? found : marked(card());
          const more = spec[at++];
          return String(Number(found) + Number(more === "?" ? added() : more));
        });
      }

      // The places in a hand, those first whose cards follow suit.
      function followed(hand) {
        const lying = Array.from({ length: game.seats }, (_, step) => last[`${after(first, step)} played`]?.[0] ?? "");
        const led = suit(lying[0] ? "" : lying.find((name) => name) ?? "");
        return [...hand.keys()].sort((one, other) => (suit(hand[one]) !== led) - (suit(hand[other]) !== led) || one - other);
      }

      function cards(slot, old, order, left, came) {
        const places = followed(old);
        const gone = Array.from({ length: left }, () => places[index()]);
        if (gone.length && slot === `${first} cards`) played = old[gone[0]];
        const kept = old.filter((_, at) => !gone.includes(at));
        kept.push(...(came === "\ue103" ? [played] : Array.from({ length: came }, card)));
        return order === "s" ? kept.sort((one, other) => (rank.get(one) ?? -1) - (rank.get(other) ?? -1)) : kept;
      }

      for (const [seat, name, kind, ...details] of steps.map((each) => ways[each])) {
        const slot = `${seat < 0 ? seat : after(first, seat)} ${name}`;
        if (kind === "") delete state[slot];
        else if (kind === "0") state[slot] = [];
        else if (kind === "+") state[slot] = increased(state[slot], details[0]);
        else if (kind === "\ue103") state[slot] = [played];
        else if (kind !== "=") state[slot] = cards(slot, state[slot] ?? [], kind, ...details);
        else state[slot] = typeof details[0] === "string" ? text(details[0]) : Array.from({ length: details[0] }, card);
      }
      return { actor, state };
    }

    let last = {};
    return [...page.patterns[number]].map((letter, at) => {
      const { actor, state } = turn(last, letter);
      const before = last["-2 title"] === state["-2 title"] ? last : null;
      last = state;
      return { at, actor, state, before, took: page.took[time()] };
    });
  }

  const quoted = (text) => text.replace(/["&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);

  function picture(cards, kind, fresh) {
    if (!cards.length) return "";
    const names = cards.map((name) => shared.cards[name.replace("-", "")].name + (name.endsWith("-") ? ", face down" : ""));
    const drawn = cards.map((name, at) => {
      const classes = [...(name.endsWith("-") ? ["down"] : []), ...(fresh(name, at) ? ["fresh"] : [])].join(" ");
      return `<svg${classes && ` class="${classes}"`}><use href="#${name.replace("-", "")}"/></svg>`;
    });
    return `<span class="cards${kind && ` ${kind}`}" role="img" aria-label="${names.join("; ")}">${drawn.join("")}</span>`;
  }

  // One game as on the match page of the site.
  function drawingOf(page, number, turns) {
    const game = page.games[number];
    const name = (seat) => (seat < 0 ? "Dealer" : game.names[seat]);
    const id = (turn) => `${number ? `game-${number + 1}-` : ""}turn-${turn}`;
    const names = (text) => text
      .replace(/[\ue000-\ue00f]/g, (mark) => game.names[mark.charCodeAt(0) - NAMES])
      .replace(/\ue100([^\ue101]*)\ue101/g, (_, card) => shared.cards[card].chip);

    function facts(seat, state, before) {
      const labels = game.labels[seat === -2 ? "table" : "seats"].filter((label) => `${seat} =${label}` in state);
      if (!labels.length) return "";
      const items = labels.map((label) => {
        const [value, old] = [state, before ?? state].map((table) => table[`${seat} =${label}`]);
        return `<div><dt>${quoted(label)}</dt><dd${old !== undefined && old !== value ? ' class="changed"' : ""}>${names(value)}</dd></div>`;
      });
      return `<dl class="stakes">${items.join("")}</dl>`;
    }

    function piles(state) {
      return Object.keys(state).filter((slot) => slot.startsWith("-2 pile")).sort().map((slot) => [state[slot.replace("pile", "label")] ?? "", state[slot]]);
    }

    function middle({ state, before }) {
      const lay = new Set(before ? piles(before).flatMap(([, cards]) => cards.map((card) => card.replace("-", ""))) : []);
      const fresh = (card) => before && !card.endsWith("-") && !lay.has(card);
      const heaps = piles(state).map(([label, cards]) => `<div>${label}${picture(cards, label ? (cards.length > 3 ? "fan" : "") : "pair", fresh)}</div>`);
      const told = facts(-2, state, before) + (heaps.length ? `<div class="heaps">${heaps.join("")}</div>` : "");
      return told && `<div class="middle">${told}</div>`;
    }

    function place(seat, { actor, state, before }, ended) {
      const of = (key) => state[`${seat} ${key}`];
      const was = (key) => before?.[`${seat} ${key}`] ?? [];
      const acted = seat === actor && seat >= 0;
      const tag = (kind, text) => ` <span class="state"${kind && ` data-state="${kind}"`}>${text}</span>`;
      const status = of("status") ?? "";
      const cards = of("in_hand")
        ? picture(of("cards"), "fan", () => false)
        : picture(of("cards"), "", (card, at) => was("cards").length && was("cards")[at] !== card);
      const played = picture(of("played") ?? [], "", (card) => acted && !was("played").includes(card));
      return `<div class="seat p${seat}${seat < 0 ? " dealer" : ""}${acted ? " acted" : ""}">
        <p class="name">${name(seat)}${status && tag(status, status)}${of("took") ? tag("took", "took it") : ""}${of("to_act") ? tag("", "to act") : ""}</p>
        ${game.tricks ? `<div class="played">${played}</div>` : ""}
        ${cards || (game.round || ended ? "" : '<span class="cards"></span>')}${facts(seat, state, before)}</div>`;
    }

    function step(turn, ended) {
      const { at, state, took } = turn;
      const text = (slot) => names(state[`-2 ${slot}`] ?? "");
      return `<li class="step${text("fault") && " faulty"}" id="${id(at)}">
        <p class="said">${text("caption")}${text("remark") && ` <span class="remark">${text("remark")}</span>`}${took && ` <span class="turn">turn ${at}, about ${took}</span>`}</p>
        <div class="scene of-${game.seats} ${game.round ? "round" : "row"}">${game.round ? middle(turn) : ""}
        ${game.order.filter((seat) => `${seat} cards` in state).map((seat) => place(seat, turn, ended)).join("")}</div>
        ${text("fault") && `<div class="faultbox">${text("fault")}</div>`}</li>`;
    }

    function section(part) {
      const { at, state } = part[0];
      const ended = part.at(-1).state["-2 kind"] === "end";
      return `<section class="part" aria-labelledby="part-${at}"><h3 id="part-${at}">${titled(state)}</h3>
        <ol class="steps">${part.map((turn) => step(turn, ended)).join("")}</ol></section>`;
    }

    return { id, name, names, section };
  }

  const title = (state) => state["-2 title"] ?? "";
  const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
  const titled = (state) => quoted(capital(title(state)));

  // Consecutive turns under one title.
  function partsOf(turns) {
    const parts = [];
    for (const turn of turns) {
      if (parts.length && title(parts.at(-1)[0].state) === title(turn.state)) parts.at(-1).push(turn);
      else parts.push([turn]);
    }
    return parts;
  }

  // Pages of whole parts, with at most a hundred turns unless a part has more.
  function pagesOf(parts) {
    const pages = [];
    let room = 0;
    for (const part of parts) {
      if (part.length > room || !pages.length) {
        pages.push([]);
        room = 100;
      }
      pages.at(-1).push(part);
      room -= part.length;
    }
    return pages;
  }

  // A value of every seat at the end of each part, if there are several parts and such a value.
  function glance(game, parts, { id, name }) {
    if (parts.length < 3) return "";
    const played = parts.slice(0, -1);
    const ends = played.map((part) => part.at(-1).state);
    const end = parts.at(-1);
    const seats = game.order.filter((seat) => seat >= 0);
    const last = end.at(-1).state;
    const first = game.labels.seats.find((label) => seats.some((seat) => `${seat} =${label}` in last));
    const all = first !== undefined && ends.every((state) => seats.some((seat) => state[`${seat} =${first}`]));
    if (end[0].state["-2 kind"] !== "end") ends[ends.length - 1] = last;
    const value = (state, seat) => {
      if (all) return state[`${seat} =${first}`] ?? "";
      return state[`${seat} in_hand`] ? String(state[`${seat} cards`].length) : "";
    };
    if (!ends.some((state) => seats.some((seat) => value(state, seat)))) return "";
    const label = all ? first : "cards in hand";
    const rows = played.map((part, at) => `<tr><th scope="row"><a href="#${id(part[0].at)}">${quoted(title(part[0].state))}</a></th>${seats.map((seat) => {
      const status = ends[at][`${seat} status`] ?? "";
      return `<td class="num">${value(ends[at], seat) || "–"}<span class="sub state" data-state="${status}">${status || " "}</span></td>`;
    }).join("")}</tr>`);
    return `<h2 id="glance">${capital(game.unit)} by ${game.unit}</h2>
      <p id="at-the-end" class="quiet small">${capital(quoted(label))} of each seat at the end of every ${game.unit}.</p>
      <div class="scroll" role="region" aria-labelledby="glance" tabindex="0"><table class="glance" aria-describedby="at-the-end">
      <thead><tr><th scope="col">${capital(game.unit)}</th>${seats.map((seat) => `<th scope="col" class="num">${name(seat)}</th>`).join("")}</tr></thead>
      <tbody>${rows.join("")}</tbody></table></div>`;
  }

  function symbols(game) {
    const ring = (symbol) => symbol.replace(/<symbol [^>]*>/, `$&${shared.ring}`);
    const drawn = game.deck.map((name) => (game.framed.includes(name) ? ring(shared.cards[name].symbol) : shared.cards[name].symbol));
    return shared.suits.replace("</svg>", () => `${drawn.join("")}</svg>`);
  }

  function replay(page) {
    const [, asked, turn] = address.exec(location.hash) ?? [];
    const number = Math.max(0, Math.min(page.games.length, Number(asked ?? 1)) - 1);
    const game = page.games[number];
    const chosen = document.querySelector(`a[data-game="${number + 1}"]`);
    chosen?.setAttribute("aria-current", "true");
    const heading = `<h2 id="play">${game.title ? `${game.title}, step` : "Step"} by step</h2>`;
    if (game.trouble) return `${heading}<p class="note">This game can no longer be shown: ${game.trouble}. The result above stays valid. The cause is the arena, not a bot.</p>`;
    const turns = decoded(page, number);
    const drawing = drawingOf(page, number, turns);
    const { id, name } = drawing;
    const parts = partsOf(turns);
    const pages = pagesOf(parts);
    const at = Math.max(0, pages.findIndex((part) => Number(turn ?? 0) <= part.at(-1).at(-1).at));
    const [here, next] = [pages[at], pages[at + 1]];
    const shown = here.flat();
    const starts = here.slice(0, -1).reduce((all, part) => [...all, all.at(-1) + part.length], [0]);
    const marks = shown.flatMap((each, place) => (each.state["-2 fault"] ? [place] : []));
    const line = (kind) => (place) => `<line class="${kind}-mark" x1="${place}" x2="${place}" y1="0" y2="1"/>`;
    const whole = (part) => quoted(title(part[0].state));
    const links = pages.map((each, place) => `<li><a href="#${id(each[0][0].at)}"${place === at ? ' aria-current="true"' : ""}>${whole(each[0])}${each.length > 1 ? ` to ${whole(each.at(-1))}` : ""}</a></li>`);
    const faults = game.faults.map(([when, seat, kind]) => `<a href="#${id(when)}">${name(seat)}, ${kind}</a>`);
    const controls = shared.controls
      .replaceAll("@unit", game.unit)
      .replace(/<line .*>/, "")
      .replace('max="0"', `max="${shown.length - 1}"`)
      .replace("0 0 1 1", `0 0 ${Math.max(1, shown.length - 1)} 1`)
      .replace("</svg>", () => `${starts.map(line("part")).join("")}${marks.map(line("fault")).join("")}</svg>`);
    const back = at ? ` data-back="#${id(shown[0].at - 1)}"` : "";
    const on = next ? ` data-on="#${id(next[0][0].at)}"` : "";
    return `${glance(game, parts, drawing)}${heading}
      ${faults.length ? `<p>Faults in this game: ${faults.join(", ")}.</p>` : ""}
      <p class="quiet small">${game.round ? "All hands are shown, since the game is over. Hatched cards were face down. During the game, each bot saw only its own hand." : "Hatched cards were face down during the game."}</p>
      ${pages.length > 1 ? `<nav aria-label="Pages of this game"><ul class="pages">${links.join("")}</ul></nav>` : ""}
      ${symbols(game)}${controls}
      <div id="frames"${back}${on}>${here.map(drawing.section).join("")}</div>
      ${next ? `<p class="onward"><a class="button" href="#${id(next[0][0].at)}">Continue with ${whole(next[0])}</a></p>` : ""}`;
  }

  const page = await unpacked();
  const links = (html) => html.replaceAll("@root/", root);
  const main = page.main.replace(/[\ue200-\uf8ff]/g, (line) => `${shared.lines[line.charCodeAt(0) - 0xe200]}\n`);
  document.body.innerHTML = links(shared.top) + main + links(shared.bottom);
  if (page.games) {
    page.games = page.games.map((game) => ({ ...shared.usual[page.game]?.about, ...game }));
    document.getElementById("replay").innerHTML = replay(page);
    if (!page.games.some((game) => game.faults.length)) document.querySelector('[data-go="fault"]')?.remove();
    // Another page of the game, or another game, is shown by loading this page again.
    addEventListener("hashchange", () => {
      if (address.test(location.hash) && !document.querySelector(location.hash)) location.reload();
    });
  }
  document.documentElement.classList.add("unpacked");
  const [, game, turn] = address.exec(location.hash) ?? [];
  if (game && !turn) document.getElementById("play").scrollIntoView();
  else if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  for (const script of then ? then.split(" ") : []) {
    const element = document.createElement("script");
    element.src = script;
    element.async = false;
    document.body.append(element);
  }
})();
