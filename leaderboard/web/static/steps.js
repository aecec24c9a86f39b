// Shows a game one step at a time. Without this script all steps are listed one below the other.
"use strict";

(() => {
  const frames = document.getElementById("frames");
  const controls = document.getElementById("controls");
  if (!frames || !controls) return;

  const steps = [...frames.querySelectorAll(".step")];
  const parts = [...frames.querySelectorAll(".part")];
  const partOf = steps.map((step) => parts.indexOf(step.closest(".part")));
  const slider = document.getElementById("slider");
  const count = document.getElementById("count");
  const button = (name) => controls.querySelector(`[data-go="${name}"]`);
  const last = steps.length - 1;
  const limit = (number) => Math.max(0, Math.min(last, number));
  let now = 0;
  let all = false;

  const addressed = () => {
    const at = steps.findIndex((step) => `#${step.id}` === location.hash);
    return at < 0 ? null : at;
  };

  // The text of a line for screen readers.
  function spoken(line) {
    const words = line.cloneNode(true);
    words.querySelectorAll("[aria-label]").forEach((picture) => picture.replaceWith(picture.getAttribute("aria-label")));
    return words.textContent.replace(/\s+/g, " ").trim();
  }

  function draw() {
    frames.classList.toggle("stepping", !all);
    steps.forEach((step, index) => { step.hidden = !all && index !== now; });
    parts.forEach((part, index) => { part.hidden = !all && index !== partOf[now]; });
    slider.value = now;
    const part = parts[partOf[now]].querySelector("h3").textContent;
    const said = spoken(steps[now].querySelector(".said"));
    slider.setAttribute("aria-valuetext", `Step ${now + 1}: ${part}, ${said}`);
    count.textContent = `${now + 1} of ${steps.length}`;
    button("back").disabled = button("part-back").disabled = now === 0 && !frames.dataset.back;
    button("on").disabled = button("part-on").disabled = now === last && !frames.dataset.on;
    button("all").setAttribute("aria-pressed", String(all));
  }

  function show(number) {
    now = limit(number);
    draw();
    history.replaceState(null, "", `#${steps[now].id}`);
    if (all) reveal();
  }

  // Beyond its ends the replay continues on the pages before and after this one.
  const turnTo = (address) => { if (address) location.assign(address); };

  const reveal = () => steps[now].scrollIntoView();

  const firstOf = (part) => partOf.indexOf(Math.max(0, Math.min(parts.length - 1, part)));
  const go = {
    back: () => (now === 0 ? turnTo(frames.dataset.back) : show(now - 1)),
    on: () => (now === last ? turnTo(frames.dataset.on) : show(now + 1)),
    // From the middle of a part to its start, from there to the previous part.
    "part-back": () => (now === 0 ? turnTo(frames.dataset.back) : show(firstOf(partOf[now] - (firstOf(partOf[now]) === now ? 1 : 0)))),
    "part-on": () => {
      if (partOf[now] < parts.length - 1) show(firstOf(partOf[now] + 1));
      else if (now < last) show(last);
      else turnTo(frames.dataset.on);
    },
    fault: () => {
      const later = steps.findIndex((step, index) => index > now && step.classList.contains("faulty"));
      show(later < 0 ? steps.findIndex((step) => step.classList.contains("faulty")) : later);
    },
    all: () => { all = !all; draw(); if (all) reveal(); },
  };
  const keys = { ArrowLeft: "back", ArrowRight: "on", PageUp: "part-back", PageDown: "part-on" };

  controls.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-go]");
    if (pressed) go[pressed.dataset.go]();
  });
  slider.addEventListener("input", () => show(Number(slider.value)));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || all) return;
    if (event.target.closest("input, select, textarea, pre, [role=region]")) return;
    // Page keys scroll the page unless the controls have the focus.
    if (event.key.startsWith("Page") && !event.target.closest("#controls")) return;
    if (!keys[event.key]) return;
    event.preventDefault();
    go[keys[event.key]]();
  });
  addEventListener("hashchange", () => {
    const at = addressed();
    if (at === null) return;
    now = at;
    draw();
    reveal();
  });

  const at = addressed();
  now = at ?? 0;
  controls.hidden = false;
  draw();
  if (at !== null) reveal();
})();
