// A page that refreshes itself rests while nobody looks at it.
"use strict";

document.addEventListener("htmx:before:request", (event) => {
  if (document.hidden) event.preventDefault();
});
