// A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

const readline = require("node:readline");

// Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
// the game, the phase and the legal answers, joined by commas. All words are strings.
function answer(words) {
  if (words.length === 5) return Number(words[0]) < 17 ? "H" : "S";
  const [game, phase, legal] = words;
  const answers = legal.split(",");
  if (phase === "discard") return answers.slice(0, 6).join(","); // at tarot: six cards put away
  return answers[0].split("..")[0]; // "0..13" stands for all numbers from 0 to 13
}

const words = process.argv.slice(2);
if (words.length > 0) {
  console.log(answer(words)); // argv: the question is in the arguments
} else {
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    if (line.startsWith("#")) return; // "# ..." is a notice and wants no answer
    console.log(answer(line.split(" "))); // stdin: a question a line, until the game ends
  });
}
