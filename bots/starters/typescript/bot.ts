// A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

// What is used of node. Its own types are not everywhere where tsc is.
declare const process: { argv: string[]; stdin: unknown };
declare function require(name: string): any;
export {};

// Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
// the game, the phase and the legal answers, joined by commas.
function answer(words: string[]): string {
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
  const lines = require("node:readline").createInterface({ input: process.stdin });
  lines.on("line", (line: string) => {
    if (line.startsWith("#")) return; // "# ..." is a notice and wants no answer
    console.log(answer(line.split(" "))); // stdin: a question a line, until the game ends
  });
}
