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

  const spelled = (name) => shared.cards[name.replace("-", "")].name + (name.endsWith("-") ? ", face down" : "");

  function drawnCard(name, isFresh) {
    const classes = [...(name.endsWith("-") ? ["down"] : []), ...(isFresh ? ["fresh"] : [])].join(" ");
    return `<svg${classes && ` class="${classes}"`}><use href="#${name.replace("-", "")}"/></svg>`;
  }

  function picture(cards, kind, fresh) {
    if (!cards.length) return "";
    const drawn = cards.map((name, at) => drawnCard(name, fresh(name, at)));
    return `<span class="cards${kind && ` ${kind}`}" role="img" aria-label="${cards.map(spelled).join("; ")}">${drawn.join("")}</span>`;
  }

  // A hand whose cards stay in their slots, with the possible ends of lines.
  function pictureOfHand(cards, slots) {
    if (!cards.length) return "";
    const held = new Map(cards.map((name) => [name.replace("-", ""), name]));
    const drawn = slots.map((slot, at) => {
      const ends = shared.lines_of_hands.filter((line) => at && at % line === 0).map((line) => `b${line}`).join(" ");
      return `${ends && `<i class="${ends}"></i>`}${held.has(slot) ? drawnCard(held.get(slot), false) : ""}`;
    });
    const size = shared.sizes_of_hands.find((limit) => slots.length <= limit) ?? shared.sizes_of_hands.at(-1);
    return `<span class="cards hand n${size}" role="img" aria-label="${cards.map(spelled).join("; ")}">${drawn.join("")}</span>`;
  }

  // One game as on the match page of the site.
  function drawingOf(page, number, turns) {
    const game = page.games[number];
    const nameOf = (seat) => (seat < 0 ? "Dealer" : game.names[seat]);
    const botOf = (seat) => nameOf(seat).split(" (seat ")[0];
    const id = (turn) => `${number ? `game-${number + 1}-` : ""}turn-${turn}`;
    // A bot that holds both seats of a side is named once.
    const partners = (text) => (game.sides.length ? text.replace(/([a-z0-9-]+) \(seat \d\) and \1 \(seat \d\)/g, "$1") : text);
    const names = (text) => partners(text.replace(/[\ue000-\ue00f]/g, (mark) => game.names[mark.charCodeAt(0) - NAMES]))
      .replace(/\ue100([^\ue101]*)\ue101/g, (_, card) => shared.cards[card].chip);
    const seatsOf = (seats) => `${seats.length === 1 ? "seat" : "seats"} ${seats.join(" and ")}`;
    const slots = slotsOf(turns);

    // The cards of each hand in the order of their slots, after each turn.
    function slotsOf(all) {
      let now = {};
      return all.map(({ state }) => {
        for (const seat of game.order) {
          const cards = (state[`${seat} in_hand`] && state[`${seat} cards`]) || [];
          const hand = cards.map((name) => name.replace("-", ""));
          if (state[`${seat} in_hand`] && !(hand.length && hand.every((name) => now[seat]?.includes(name)))) now = { ...now, [seat]: hand };
        }
        return now;
      });
    }

    function valuesOf(seat, state, before) {
      return game.labels[seat === -2 ? "table" : "seats"].filter((label) => `${seat} =${label}` in state).map((label) => {
        const [value, old] = [state, before ?? state].map((table) => table[`${seat} =${label}`]);
        return [label, names(value), old !== undefined && old !== value];
      });
    }

    function facts(seat, state, before) {
      const items = valuesOf(seat, state, before).map(([label, value, changed]) => `<div><dt>${quoted(label)}</dt><dd${changed ? ' class="changed"' : ""}>${value}</dd></div>`);
      return items.length ? `<dl class="stakes">${items.join("")}</dl>` : "";
    }

    function piles(state) {
      return Object.keys(state).filter((slot) => slot.startsWith("-2 pile")).sort().map((slot) => [state[slot.replace("pile", "label")] ?? "", state[slot]]);
    }

    const sidesOf = (state) => game.sides.map((seats, at) => [seats, ...(state[`-2 side${at}`] ?? "").split("|")]);
    const figure = (text) => (/^[+-]?\d+$/.test(text) ? text.replace(/^-/, "−").replace(/\B(?=(\d{3})+$)/g, "\u202f") : text);

    function score({ state, before }) {
      const spans = valuesOf(-2, state, before).map(([label, value]) => ` <span>${quoted(label)} <b>${value}</b></span>`);
      const stage = state["-2 stage"] ? ` <span>${state["-2 stage"]}</span>` : "";
      const lines = sidesOf(state).filter(([, points]) => points).map(([seats, points, ...values]) => {
        const bots = [...new Set(seats.map(botOf))].join(", ");
        const shown = values.map((value) => `<span>${value.replace(/ (\S+)$/, (_, shownValue) => ` <b>${figure(shownValue)}</b>`)}</span> `);
        return `<li><span class="bot">${bots}</span> <span class="sub">${seatsOf(seats)}</span> <b class="points">${figure(points)}</b> <span class="numbers">${shown.join("")}</span></li>`;
      });
      return `<div class="score"><p class="where"><b>${titled(state)}</b>${stage}${spans.join("")}</p>${lines.length ? `<ul class="sides">${lines.join("")}</ul>` : ""}</div>`;
    }

    function center({ state, before, actor }) {
      if (!game.round) return "";
      const lay = new Set(before ? piles(before).flatMap(([, cards]) => cards.map((card) => card.replace("-", ""))) : []);
      const fresh = (card) => before && !card.endsWith("-") && !lay.has(card);
      const heaps = piles(state).map(([label, cards]) => `<div>${label}${picture(cards, label ? (cards.length > 3 ? "fan" : "") : "pair", fresh)}</div>`);
      const slot = (seat) => {
        const was = before?.[`${seat} played`] ?? [];
        const played = picture(state[`${seat} played`] ?? [], "", (card) => seat === actor && !was.includes(card));
        return `<span class="slot s${seat}${state[`${seat} to_act`] ? " turn" : ""}" data-name="${botOf(seat)}">${played}</span>`;
      };
      const trick = game.tricks ? `<div class="trick">${game.order.filter((seat) => seat >= 0).map(slot).join("")}</div>` : "";
      return `<div class="center">${trick}${heaps.length ? `<div class="heaps">${heaps.join("")}</div>` : ""}</div>`;
    }

    function place(seat, { at, state, before }) {
      const of = (key) => state[`${seat} ${key}`];
      const was = before?.[`${seat} cards`] ?? [];
      const tag = (kind, text) => ` <span class="state"${kind && ` data-state="${kind}"`}>${text}</span>`;
      const status = of("status") ?? "";
      const cards = of("in_hand")
        ? pictureOfHand(of("cards"), slots[at][seat] ?? [])
        : picture(of("cards"), "", (card, index) => was.length && was[index] !== card);
      return `<div class="seat p${seat}${seat < 0 ? " dealer" : ""}${of("to_act") ? " turn" : ""}">
        <p class="name"><b>${botOf(seat)}</b>${nameOf(seat).includes("(seat ") ? ` <span class="no">seat ${seat}</span>` : ""}${status && tag(status, status)}${of("took") ? tag("took", "took it") : ""}${of("to_act") ? tag("", "to act") : ""}</p>
        ${facts(seat, state, before)}${cards}</div>`;
    }

    function step(turn) {
      const { at, state, took } = turn;
      const text = (slot) => names(state[`-2 ${slot}`] ?? "");
      return `${score(turn)}<div class="felts"><div class="felt of-${game.seats} ${game.round ? "round" : "row"}${game.tricks ? " tricks" : ""}">
        ${game.order.filter((seat) => `${seat} cards` in state).map((seat) => place(seat, turn)).join("")}${center(turn)}</div></div>
        <p class="said${text("fault") && " faulty"}"><span>${text("caption")}</span>${text("remark") && ` <span class="remark">${text("remark")}</span>`}</p>
        <div class="next">${took ? `<p class="quiet">turn ${at}, answered in about ${took}</p>` : ""}</div>`;
    }

    return { id, nameOf, botOf, seatsOf, sidesOf, names, figure, step };
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

  // The value of every side or seat at the end of each part, and the last thing that happened in it.
  function summary(game, parts, { id, nameOf, botOf, seatsOf, sidesOf, names, figure }) {
    const played = parts.filter((part) => part.at(-1).state["-2 kind"] !== "end");
    const end = parts.at(-1).at(-1).state;
    const seats = game.order.filter((seat) => seat >= 0);
    const counts = (state, label) => seats.some((seat) => `${seat} =${label}` in state);
    const first = game.labels.seats.find((label) => counts(end, label));
    const all = first !== undefined && parts.every((part) => counts(part.at(-1).state, first));
    const label = game.sides.length ? "score" : all ? first : "cards in hand";
    const cells = (state) => {
      if (game.sides.length) return sidesOf(state).map(([, points, ...values]) => [figure(points), values.join(", ")]);
      return seats.map((seat) => [all ? state[`${seat} =${first}`] ?? "" : state[`${seat} in_hand`] ? String(state[`${seat} cards`].length) : "", state[`${seat} status`] ?? ""]);
    };
    const heads = game.sides.length
      ? game.sides.map((side) => `${[...new Set(side.map(botOf))].join(", ")}<span class="sub">${seatsOf(side)}</span>`)
      : seats.map((seat) => `${botOf(seat)}<span class="sub">seat ${seat}</span>`);
    const rows = played.map((part) => {
      const { state } = part.at(-1);
      const values = cells(state).map(([value, note]) => `<td class="num">${names(value) || "–"}<span class="sub state" data-state="${note}">${note || " "}</span></td>`);
      return `<tr><th scope="row"><a href="#${id(part[0].at)}">${quoted(title(state))}</a></th>${values.join("")}<td class="why">${names(state["-2 remark"] ?? "")}</td></tr>`;
    });
    const faults = game.faults.map(([when, seat, kind]) => `<li><details><summary>${nameOf(seat)}, ${kind}</summary><p><a href="#${id(when)}">Show turn ${when} on the table</a></p>${names(parts.flat()[when].state["-2 fault"] ?? "")}</details></li>`);
    return `<h2 id="parts">${capital(game.unit)} by ${game.unit}</h2>
      <p id="at-the-end" class="quiet small">${capital(quoted(label))} at the end of every ${game.unit}, and the last thing that happened in it.</p>
      <div class="scroll" role="region" aria-labelledby="parts" tabindex="0"><table class="glance" aria-describedby="at-the-end">
      <thead><tr><th scope="col">${capital(game.unit)}</th>${heads.map((head) => `<th scope="col" class="num">${head}</th>`).join("")}<th scope="col">Why</th></tr></thead>
      <tbody>${rows.join("")}</tbody></table></div>
      ${faults.length ? `<h2 id="faults">Faults</h2><ul class="faults">${faults.join("")}</ul>` : ""}
      <p class="quiet small">${game.round ? "All hands are shown, since the game is over. Hatched cards were face down. During the game, each bot saw only its own hand." : "Hatched cards were face down during the game."}</p>`;
  }

  function symbols(game) {
    const ring = (symbol) => symbol.replace(/<symbol [^>]*>/, `$&${shared.ring}`);
    const drawn = game.deck.map((name) => (game.framed.includes(name) ? ring(shared.cards[name].symbol) : shared.cards[name].symbol));
    return shared.suits.replace("</svg>", () => `${drawn.join("")}</svg>`);
  }

  // The table of a game, and what stands below the results.
  function replay(page) {
    const [, asked, turn] = address.exec(location.hash) ?? [];
    const number = Math.max(0, Math.min(page.games.length, Number(asked ?? 1)) - 1);
    const game = page.games[number];
    document.querySelector(`a[href="#game-${number + 1}"]`)?.setAttribute("aria-current", "true");
    if (game.trouble) return [`<p class="note" id="play">This game can no longer be shown: ${game.trouble}. The result below stays valid. The cause is the arena, not a bot.</p>`, ""];
    const turns = decoded(page, number);
    const drawing = drawingOf(page, number, turns);
    const parts = partsOf(turns);
    const stages = turns.flatMap(({ at, state }) => (state["-2 stage"] && state["-2 stage"] !== turns[at - 1]?.state["-2 stage"] ? [at] : []));
    const ends = new Set([...stages, ...parts.map((part) => part.at(-1).at)]);
    const stops = [...new Set([...stages, ...parts.map((part) => part[0].at), turns.length - 1])].sort((one, other) => one - other);
    const opens = turns.find(({ state }) => game.order.some((seat) => state[`${seat} to_act`] && state[`${seat} cards`]?.length)) ?? turns[0];
    const step = Math.min(turns.length - 1, Number(turn ?? opens.at));
    const timeline = { parts: parts.map((part) => [part[0].at, title(part[0].state)]), stops, addresses: turns.map(({ at }) => `#${drawing.id(at)}`) };
    window.tableSource = (part) => Promise.resolve({
      first: parts[part][0].at,
      steps: parts[part].map((shown) => ({ html: drawing.step(shown), hold: ends.has(shown.at) })),
    });
    const share = (at) => `${((100 * at) / Math.max(1, turns.length - 1)).toFixed(2)}%`;
    const swings = game.chapters.map(([at, label, note, points]) => [at, "swing", label, note, points]);
    const faults = game.faults.map(([at, seat, kind]) => [at, "fault", `fault: ${kind}`, drawing.nameOf(seat), ""]);
    const titles = parts.map((part) => [part[0].at, "part", titled(part[0].state), "", ""]);
    const chapters = [...titles, ...swings, ...faults].sort((one, other) => one[0] - other[0]);
    const marks = [...swings, ...faults].map(([at, kind]) => `<svg class="${kind}" x="${share(at)}" overflow="visible"><path d="${kind === "fault" ? "M-5 24L0 15L5 24z" : "M-5 8L0 2L5 8L0 14z"}"/></svg>`);
    const ticks = parts.map((part) => `<line class="part" x1="${share(part[0].at)}" x2="${share(part[0].at)}" y1="14" y2="24"/>`);
    const controls = shared.controls
      .replaceAll("@unit", stages.length ? turns[stages[0]].state["-2 stage"].split(" ")[0] : game.unit)
      .replace('max="0"', `max="${turns.length - 1}"`)
      .replace("</svg>", () => `${ticks.join("")}${marks.join("")}</svg>`);
    const items = chapters.map(([at, kind, label, note, points]) => `<li class="${kind}"><a data-step="${at}" href="#${drawing.id(at)}"><span>${label}</span>${note && ` <span class="quiet">${quoted(note)}</span>`}${points && ` <b>${points}</b>`}</a></li>`);
    return [`${symbols(game)}<section class="player" id="play" aria-label="Table" tabindex="-1" data-step="${step}">
      <div class="screen"><script type="application/json" id="timeline">${JSON.stringify(timeline).replaceAll("<", "\\u003c")}</script>
      ${controls}<div id="frame">${drawing.step(turns[step])}</div></div>
      <nav class="chapters" aria-label="Chapters" tabindex="-1"><h2>Chapters</h2><ol>${items.join("")}</ol></nav></section>`,
    summary(game, parts, drawing)];
  }

  const page = await unpacked();
  const links = (html) => html.replaceAll("@root/", root);
  const main = page.main.replace(/[\ue200-\uf8ff]/g, (line) => `${shared.lines[line.charCodeAt(0) - 0xe200]}\n`);
  document.body.innerHTML = links(shared.top) + main + links(shared.bottom);
  if (page.games) {
    page.games = page.games.map((game) => ({ ...shared.usual[page.game]?.about, ...game }));
    const [table, rest] = replay(page);
    document.getElementById("replay").innerHTML = table;
    document.getElementById("rest").innerHTML = rest;
    // Another game, or another turn, is shown by loading this page again.
    addEventListener("hashchange", () => { if (address.test(location.hash)) location.reload(); });
  }
  document.documentElement.classList.add("unpacked");
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  for (const script of then ? then.split(" ") : []) {
    const element = document.createElement("script");
    element.src = script;
    element.async = false;
    document.body.append(element);
  }
})();
