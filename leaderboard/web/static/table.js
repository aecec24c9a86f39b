// Steps through a table without loading pages, and plays it. Without this script every position is a
// page, and the same links lead from one to the next.
"use strict";

// Where each card is now, by its name; packs with several equal cards have several places.
function placesOfCards(frame) {
  const seen = new Map();
  for (const card of frame.querySelectorAll(".cards svg")) {
    const name = card.querySelector("use")?.getAttribute("href") ?? "back";
    if (!seen.has(name)) seen.set(name, []);
    seen.get(name).push([card, card.getBoundingClientRect()]);
  }
  return seen;
}

// Cards move from where they were; they never fade, since a pale card would mean something. A card
// that was hidden comes from the place `hidden`.
function moveCards(frame, before, duration, hidden) {
  for (const [name, cards] of placesOfCards(frame)) {
    cards.forEach(([card, now], index) => {
      const was = before.get(name)?.[index]?.[1] ?? (name === "back" ? null : hidden);
      if (!was || !now.width || (Math.abs(was.x - now.x) < 1 && Math.abs(was.y - now.y) < 1)) return;
      const from = `translate(${was.x - now.x}px, ${was.y - now.y}px) scale(${was.width / now.width})`;
      const steps = [from, "none"].map((transform) => ({ transform, transformOrigin: "0 0", zIndex: 1 }));
      card.animate(steps, { duration, easing: "ease-out" });
    });
  }
}

// The events of a live page go on from game to game. A game and its parts are compressed.
const live = { table: null, stream: null, events: Promise.resolve() };

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

function listen(address) {
  if (live.stream && live.stream.readyState !== EventSource.CLOSED) return;
  live.stream = new EventSource(address);
  live.stream.addEventListener("error", () => {
    if (live.stream.readyState === EventSource.CLOSED) setTimeout(() => listen(address), 10_000);
  });
  for (const name of ["game", "part", "at"]) {
    live.stream.addEventListener(name, ({ data }) => {
      live.events = live.events.then(async () => {
        const told = name === "at" ? JSON.parse(data) : await unpacked(data);
        live.table[name](told);
      });
    });
  }
}

function start(player, parts = []) {
  const CARD = 450; // milliseconds between two cards
  const HELD = 1000; // and after a finished trick
  const frame = document.getElementById("frame");
  const timeline = JSON.parse(document.getElementById("timeline").textContent);
  const slider = document.getElementById("slider");
  const speed = document.getElementById("speed");
  const count = document.getElementById("count");
  const playButton = player.querySelector('[data-go="play"]');
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const over = new AbortController(); // ends the listeners when another game takes this one's place
  const last = Number(slider.max);
  const fetched = new Map(parts.map((part) => [part.part, Promise.resolve(part)]));
  let step = Number(player.dataset.step);
  let playing = false;
  let timer = 0;
  let wanted = step; // the step that was asked for last; the answer to an earlier one is dropped

  const partOf = (number) => timeline.parts.findLastIndex(([first]) => first <= number);

  // The steps of a part: a promise of {first, steps}. A failed request is tried again when asked for.
  function part(number) {
    if (window.tableSource) return window.tableSource(number); // in an archive, which has no server
    if (!fetched.has(number)) {
      const address = new URL(player.dataset.frames, location.href);
      address.searchParams.set("part", number);
      const loading = fetch(address).then((answer) => {
        return answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText));
      });
      loading.catch(() => fetched.delete(number));
      fetched.set(number, loading);
    }
    return fetched.get(number);
  }

  function address(number) {
    if (timeline.addresses.length) return timeline.addresses[number];
    const there = new URL(player.dataset.address, location.href);
    there.searchParams.set("turn", number);
    return there.pathname + there.search;
  }

  function draw(html, moving) {
    const before = moving && !still.matches ? placesOfCards(frame) : null;
    frame.innerHTML = html;
    if (before) moveCards(frame, before, 300 / Math.max(1, pace()));
  }

  const pace = () => Number(speed.value);

  function label() {
    slider.value = step;
    const said = [...frame.querySelectorAll(".said")].map((line) => spoken(line)).join(" ");
    slider.setAttribute("aria-valuetext", `Step ${step + 1}: ${timeline.parts[partOf(step)][1]}, ${said}`);
    count.textContent = `${step + 1} of ${last + 1}`;
    for (const [name, there] of Object.entries(neighbours())) {
      const link = player.querySelector(`[data-go="${name}"]`);
      link.toggleAttribute("aria-disabled", there === step);
      if (there === step) link.removeAttribute("href");
      else link.href = address(there);
    }
    for (const link of player.querySelectorAll(".chapters a")) {
      if (Number(link.dataset.step) === step) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  // The text of a line for screen readers.
  function spoken(line) {
    const words = line.cloneNode(true);
    words.querySelectorAll("[aria-label]").forEach((picture) => picture.replaceWith(picture.getAttribute("aria-label")));
    return words.textContent.replace(/\s+/g, " ").trim();
  }

  async function show(number, moving = true) {
    wanted = Math.max(0, Math.min(last, number));
    const target = wanted;
    let loaded;
    try {
      loaded = await part(partOf(target));
    } catch {
      location.assign(address(target)); // the page itself says what is wrong
      return null;
    }
    if (target !== wanted) return null;
    const shown = loaded.steps[target - loaded.first];
    const open = frame.querySelector(".question")?.open;
    draw(shown.html, moving && Math.abs(target - step) <= 6);
    const question = frame.querySelector(".question");
    if (open && question) question.open = true;
    step = target;
    label();
    if (!player.dataset.autoplay && !player.dataset.live) history.replaceState(null, "", address(step));
    return shown;
  }

  function neighbours() {
    const { stops } = timeline;
    return {
      "stage-back": stops.findLast((stop) => stop < step) ?? step,
      back: Math.max(0, step - 1),
      on: Math.min(last, step + 1),
      "stage-on": stops.find((stop) => stop > step) ?? step,
    };
  }

  function pause() {
    playing = false;
    clearTimeout(timer);
    playButton.setAttribute("aria-pressed", "false");
    playButton.setAttribute("aria-label", "Play");
  }

  async function play() {
    if (step === last) await show(timeline.parts[0][0], false);
    playing = true;
    playButton.setAttribute("aria-pressed", "true");
    playButton.setAttribute("aria-label", "Pause");
    timer = setTimeout(tick, CARD / pace());
  }

  async function tick() {
    if (!playing) return;
    const shown = await show(step + 1);
    if (!shown || step === last) {
      pause();
      return;
    }
    part(Math.min(partOf(step) + 1, timeline.parts.length - 1)).catch(() => {});
    if (playing) timer = setTimeout(tick, (shown.hold ? HELD : CARD) / pace());
  }

  const toggle = () => (playing ? pause() : play());

  // A live page follows the position that the server tells; a reader who steps leaves it.
  const followButton = document.getElementById("follow");
  let following = Boolean(player.dataset.live);

  function follow(now) {
    following = now && Boolean(player.dataset.live);
    if (followButton) followButton.hidden = following || !player.dataset.live;
  }

  // Shows another game in the place of this one.
  function change(html, parts) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const next = page.getElementById("play");
    if (!next || over.signal.aborted) return;
    over.abort();
    pause();
    document.querySelector("svg[hidden]").replaceWith(page.querySelector("svg[hidden]"));
    player.replaceWith(next);
    start(next, parts);
  }

  async function told(now) {
    player.dataset.now = JSON.stringify(now);
    if (!following) return;
    const state = document.getElementById("live-state");
    if (now.game !== JSON.parse(player.dataset.game)) {
      change(await (await fetch(location.href)).text());
      return;
    }
    if (now.waiting) {
      state.textContent = "The next game begins when its match is stored.";
    } else if (Math.abs(now.turn - step) > 2) {
      await show(now.turn, false);
    }
    if (!playing && step < last && !now.waiting) play();
  }

  function go(name) {
    follow(false);
    if (name === "play") {
      toggle();
      return;
    }
    pause();
    show(neighbours()[name]);
  }

  player.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const control = event.target.closest("[data-go]");
    const chapter = event.target.closest("[data-step]");
    const view = event.target.closest("[data-view]");
    if (control) {
      event.preventDefault();
      go(control.dataset.go);
    } else if (chapter && chapter !== player) {
      event.preventDefault();
      pause();
      show(Number(chapter.dataset.step), false);
      if (player.getBoundingClientRect().top < 0) player.scrollIntoView();
    } else if (view) {
      const there = new URL(view.href);
      const here = new URL(address(step), location.href);
      for (const name of ["turn", "other"]) {
        if (here.searchParams.has(name)) there.searchParams.set(name, here.searchParams.get(name));
      }
      view.href = there;
    }
  });

  slider.addEventListener("input", () => {
    follow(false);
    pause();
    show(Number(slider.value), false);
  });

  const keys = {
    " ": toggle,
    ArrowLeft: () => go("back"),
    ArrowRight: () => go("on"),
    ",": () => go("stage-back"),
    ".": () => go("stage-on"),
    Home: () => { follow(false); pause(); show(0, false); },
    End: () => { follow(false); pause(); show(last, false); },
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !keys[event.key]) return;
    if (event.target.closest("input, select, textarea, pre, summary, [role=region]")) return;
    if (event.key === " " && event.target.closest("a, button")) return;
    event.preventDefault();
    keys[event.key]();
  }, { signal: over.signal });

  // A swipe over the table steps; a finger that moves down or up scrolls.
  let touched = null;
  frame.addEventListener("touchstart", (event) => { touched = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
  frame.addEventListener("touchend", (event) => {
    if (!touched) return;
    const [end] = event.changedTouches;
    const [right, down] = [end.clientX - touched.clientX, end.clientY - touched.clientY];
    if (Math.abs(right) > 40 && Math.abs(right) > 2 * Math.abs(down)) go(right < 0 ? "on" : "back");
  }, { passive: true });

  for (const control of [slider, speed, playButton]) control.hidden = false;
  pause();
  label();
  part(partOf(step)).catch(() => {});
  if (player.dataset.autoplay && !still.matches) play();
  if (player.dataset.live) {
    const now = JSON.parse(player.dataset.now);
    player.dataset.game = JSON.stringify(now.game);
    live.table = {
      at: told,
      game({ game, html, parts }) {
        if (following && game !== now.game) change(html, parts);
      },
      part(data) {
        if (data.game === now.game && !fetched.has(data.part)) fetched.set(data.part, Promise.resolve(data));
      },
    };
    listen(player.dataset.live);
    followButton.addEventListener("click", () => {
      follow(true);
      told(JSON.parse(player.dataset.now));
    });
    told(now);
  }
}

const player = document.getElementById("play");
if (player) start(player);
