// A seat at a table: shows what the others play, one card after another, and gives the answers.
// Without this script the same forms work, and the page is loaded again. table.js moves the cards.
"use strict";

(() => {
  for (const form of document.querySelectorAll("form[data-remember]")) {
    const name = `level of ${form.dataset.remember}`;
    const select = form.elements.level;
    const last = localStorage.getItem(name);
    if ([...select.options].some(({ value }) => value === last)) select.value = last;
    select.addEventListener("change", () => localStorage.setItem(name, select.value));
  }

  const seat = document.getElementById("seat");
  if (!seat) return;

  const CARD = 450; // milliseconds before a card of somebody else
  const HELD = 1000; // after a finished trick
  const AGAIN = 5000; // before the site is asked again
  const frame = document.getElementById("frame");
  const state = document.getElementById("state");
  const table = seat.dataset.table;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const oneTap = document.getElementById("one-tap");
  const queue = [];
  let shown = Number(seat.dataset.turn);
  let busy = false;

  const pace = document.getElementById("pace");
  const pause = (time) => new Promise((done) => { setTimeout(done, document.hidden ? 0 : time * Number(pace?.value ?? 1)); });

  // A card of a hidden hand comes from one of the backs at its place.
  function draw(html, place) {
    const before = still.matches || document.hidden ? null : placesOfCards(frame);
    const hidden = [...frame.querySelectorAll(`.p${place} .back`)].at(-1)?.getBoundingClientRect();
    frame.innerHTML = html;
    if (before) moveCards(frame, before, 300, hidden);
  }

  async function work() {
    if (busy) return;
    busy = true;
    while (queue.length) {
      const next = queue.shift();
      if (next.turn <= shown) continue;
      if (next.turn > shown + 1 && shown >= 0) {
        location.reload(); // turns are missing
        return;
      }
      if (!next.own) await pause(CARD);
      draw(next.html, next.place);
      shown = next.turn;
      seat.dataset.turn = shown;
      if (next.hold) await pause(HELD);
    }
    busy = false;
  }

  const source = new EventSource(`${table}/events`);
  source.addEventListener("turn", (event) => {
    queue.push(JSON.parse(event.data));
    work();
  });
  source.addEventListener("state", (event) => {
    const { html } = JSON.parse(event.data);
    if (html.trim() !== state.innerHTML.trim()) state.innerHTML = html;
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(reload, AGAIN);
  });

  // A proxy whose site is down answers for it; such a page in place of this one would stay.
  async function reload() {
    const answer = await fetch(table, { cache: "no-store" }).catch(() => null);
    if (answer?.ok || answer?.status === 404) location.reload();
    else setTimeout(reload, AGAIN);
  }

  async function post(path, fields) {
    const told = await fetch(`${table}/${path}`, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams(fields),
    }).then((answer) => answer.json()).catch(() => ({ error: "The arena could not answer. Try again." }));
    if (told.error) say(told.error);
    return told;
  }

  function say(text) {
    const prompt = frame.querySelector(".prompt");
    if (prompt) prompt.textContent = text;
    else state.textContent = text;
  }

  // The first tap lifts a card, the second plays it; a card that is lifted comes down with the next.
  function lifted(card) {
    if (oneTap?.checked || card.classList.contains("lifted")) return true;
    for (const other of frame.querySelectorAll(".lifted")) other.classList.remove("lifted");
    card.classList.add("lifted");
    return false;
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.id !== "answer") return;
    event.preventDefault();
    if (form.dataset.sent) return;
    const button = event.submitter;
    if (button?.classList.contains("card") && !lifted(button)) return;
    const fields = new FormData(form, button);
    if (button?.dataset.pick && fields.getAll("card").length !== Number(button.dataset.pick)) {
      say(`Choose ${button.dataset.pick} cards; ${fields.getAll("card").length} are chosen.`);
      return;
    }
    form.dataset.sent = "yes";
    const told = await post("answer", fields);
    if (told.error) delete form.dataset.sent;
  });

  document.addEventListener("click", ({ target }) => {
    if (!target.dataset.by) return;
    const input = target.parentElement.querySelector("input");
    if (target.dataset.by === "1") input.stepUp();
    else input.stepDown();
  });

  if (pace) {
    pace.value = localStorage.getItem("pace") ?? "1";
    pace.addEventListener("change", () => localStorage.setItem("pace", pace.value));
  }

  if (oneTap) {
    oneTap.checked = localStorage.getItem("one tap") === "yes";
    oneTap.addEventListener("change", () => localStorage.setItem("one tap", oneTap.checked ? "yes" : "no"));
  }

  document.getElementById("hint")?.addEventListener("click", async () => {
    const turn = frame.querySelector("#answer")?.dataset.turn;
    if (turn === undefined) return;
    for (let look = 0; look < 40; look += 1) {
      const told = await post("hint", { turn });
      if (told.error || frame.querySelector("#answer")?.dataset.turn !== turn) return;
      if (told.hint !== null) {
        const card = [...frame.querySelectorAll("#answer button, button[form=answer]")].find(({ value }) => value === told.hint);
        card?.classList.add("hinted");
        say(told.hint ? `It would answer ${card?.getAttribute("aria-label") ?? told.hint}.` : "It has no answer.");
        return;
      }
      await new Promise((done) => { setTimeout(done, 250); });
    }
  });

  // The order of a pack by its key and label: Fisher and Yates's shuffle with bytes of HMAC-SHA256.
  const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const text = new TextEncoder();

  async function shuffled(order, keyBytes, label) {
    const key = await crypto.subtle.importKey("raw", keyBytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const bytes = [];
    let block = 0;
    const byte = async () => {
      if (!bytes.length) bytes.push(...new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(`${label}/${block++}`))));
      return bytes.shift();
    };
    const cards = [...order];
    for (let last = cards.length - 1; last > 0; last -= 1) {
      const count = last + 1;
      let drawn = 256;
      while (drawn >= 256 - (256 % count)) drawn = await byte();
      const other = drawn % count;
      [cards[last], cards[other]] = [cards[other], cards[last]];
    }
    return cards;
  }

  document.getElementById("check").addEventListener("click", async () => {
    const result = document.getElementById("fair-result");
    if (!window.crypto?.subtle) {
      result.textContent = "This browser checks cards only on pages that were loaded by https.";
      return;
    }
    const { order, deals } = await (await fetch(`${table}/deals`)).json();
    const told = [];
    for (const deal of deals) {
      const stored = `commitment ${table} ${deal.pack}`;
      const before = localStorage.getItem(stored);
      if (deal.commitment && !before) localStorage.setItem(stored, deal.commitment);
      if (deal.given) {
        told.push(`Deal ${deal.pack + 1} is that of the stored board.`);
      } else if (!deal.key) {
        told.push(`Deal ${deal.pack + 1} is fixed by ${deal.commitment.slice(0, 8)}…${deal.commitment.slice(-4)}.`);
      } else {
        const key = Uint8Array.from(deal.key.match(/../g), (pair) => parseInt(pair, 16));
        const same = hex(await crypto.subtle.digest("SHA-256", key)) === deal.commitment;
        const kept = !before || before === deal.commitment;
        const cards = await shuffled([...deal.cards].sort((one, other) => order.indexOf(one) - order.indexOf(other)), key, deal.label);
        const right = same && kept && cards.join() === deal.cards.join();
        told.push(`Deal ${deal.pack + 1} was ${right ? "dealt as it was fixed" : "NOT dealt as it was fixed"}.`);
      }
    }
    result.textContent = told.join(" ");
  });
})();
