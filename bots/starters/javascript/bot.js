// A whole blackjack bot: draws below 17, stands from there on.

const readline = require("node:readline");

// Choose "H" (hit), "S" (stand), "D" (double down) or "B 25" (bet 25 more).
// `visible` is every card on the table, the dealer's two first and the hidden one as "#".
// Every word arrives as a string.
function answer(score, hand, visible, stake, chips) {
  return Number(score) < 17 ? "H" : "S";
}

const words = process.argv.slice(2);
if (words.length > 0) {
  console.log(answer(...words)); // argv: the question is in the arguments
} else {
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    if (line.startsWith("#")) return; // "# ..." is news and wants no answer
    console.log(answer(...line.split(" "))); // stdin: a question a line, until the game ends
  });
}
