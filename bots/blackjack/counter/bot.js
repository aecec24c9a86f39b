// Counter: remembers every card of the round, works out its exact chances from what is left in the
// shoe, and sizes its bets by them.
//
// A stake may be raised at any time, so it first takes the cards it wants and bets when it knows
// what it holds. That changes which cards it wants: a small stake on a poor hand is worth risking
// for a hand to bet on. It never doubles, because a raise after the card beats one before it.

const readline = require("node:readline");
const odds = require("./odds");
const { Shoe, worth } = require("./shoe");

// How it values wealth: as wealth to this power. Towards 0 it bets by Kelly's rule [Kelly 1956],
// for the surest growth; at 1 it would put everything on every hand that is better than even, and
// be rich seldom.
const APPETITE = 0.2;

// The share of its wealth to have at stake on a hand that wins with this chance.
function share(chance) {
  if (chance <= 0.5) return 0;
  const lean = (chance / (1 - chance)) ** (1 / (1 - APPETITE));
  return Number.isFinite(lean) ? (lean - 1) / (lean + 1) : 1;
}

// What it is worth to stand with this chance, when `least` of its wealth is at stake already.
function value(chance, least) {
  const risked = Math.max(share(chance), least);
  return chance * (1 + risked) ** APPETITE + (1 - chance) * (1 - risked) ** APPETITE;
}

function answer(shoe, question) {
  const [, cards, table, ...numbers] = question.split(" ");
  const [stake, chips] = numbers.map(Number);
  const visible = [...table];
  const wealth = stake + chips;
  const { pool, hole } = shoe.unseen(visible);
  const kept = hole === pool ? 1 : 0;
  const ends = odds.dealerEnds(worth(visible[0]), hole, pool);
  const known = new Map();

  const standing = (hand) => value(odds.chanceStanding(hand, ends), stake / wealth);
  const bust = value(0, stake / wealth);
  const hitting = (hand) => {
    let sum = 0;
    odds.eachDraw(pool, kept, (card, chance) => {
      const next = odds.add(hand, card);
      sum += chance * (next.total > 21 ? bust : playing(next));
    });
    return sum;
  };
  const playing = (hand) => {
    const key = `${hand.total} ${hand.ace} ${pool}`;
    if (!known.has(key)) known.set(key, Math.max(standing(hand), hitting(hand)));
    return known.get(key);
  };

  const hand = [...cards].map(worth).reduce(odds.add, { total: 0, ace: false });
  if (hitting(hand) > standing(hand)) return "H";
  const raise = Math.floor(share(odds.chanceStanding(hand, ends)) * wealth) - stake;
  return raise >= 1 ? `B ${raise}` : "S";
}

const shoe = new Shoe();
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [, hand] = line.match(/^# hand \d+ (\S+)$/) ?? [];
  const [, gone] = line.match(/^# shoe (\w+)$/) ?? [];
  if (hand) shoe.settle([...hand]);
  else if (gone) shoe.goOn([...gone]);
  else if (!line.startsWith("#")) console.log(answer(shoe, line));
});
