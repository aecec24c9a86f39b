// A page that updates itself pauses while its tab is hidden.
"use strict";

document.addEventListener("htmx:before:request", (event) => {
  if (document.hidden) event.preventDefault();
});
