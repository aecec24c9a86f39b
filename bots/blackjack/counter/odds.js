// What the unseen cards say about a hand: exact sums over everything that can still be dealt.

// Cards are counted by worth: index 0 is the ace, 1 the two, ... 9 all cards that count ten.
const FULL = [4, 4, 4, 4, 4, 4, 4, 4, 4, 16];
const BUST = 22;

// A hand is its total with aces as 1, and whether there is an ace to count as 11.
function add(hand, worth) {
  return { total: hand.total + worth, ace: hand.ace || worth === 1 };
}

function score(hand) {
  return hand.ace && hand.total <= 11 ? hand.total + 10 : hand.total;
}

// Calls `then(worth, chance)` for every card that may come next, with that card taken out of
// `pool` meanwhile. `kept` cards of the pool can't be drawn (a face-down card nobody knows):
// once only those are left, a fresh deck comes to the table.
function eachDraw(pool, kept, then) {
  let size = 0;
  for (const count of pool) size += count;
  const cards = size > kept ? pool : FULL.slice();
  const total = size > kept ? size : 52;
  for (let i = 0; i < 10; i++) {
    const count = cards[i];
    if (count === 0) continue;
    cards[i]--;
    then(i + 1, count / total);
    cards[i]++;
  }
}

// The chances that the dealer ends with 17, 18, 19, 20, 21 or bust: an array indexed by score.
// `hole` counts the cards that the dealer's hidden one may be; where it is the same array as
// `pool`, that card comes out of the pool.
function dealerEnds(up, hole, pool) {
  const ends = new Array(BUST + 1).fill(0);
  const play = (hand, chance) => {
    const now = score(hand);
    if (now >= 17) ends[Math.min(now, BUST)] += chance;
    else eachDraw(pool, 0, (worth, part) => play(add(hand, worth), chance * part));
  };
  const first = add({ total: 0, ace: false }, up);
  eachDraw(hole, 0, (worth, part) => play(add(first, worth), part));
  return ends;
}

// The chance to win by standing: a tie loses, and so does everybody against a better dealer.
function chanceStanding(hand, ends) {
  const mine = score(hand);
  let chance = ends[BUST];
  for (let theirs = 17; theirs < mine; theirs++) chance += ends[theirs];
  return chance;
}

module.exports = { FULL, add, score, eachDraw, dealerEnds, chanceStanding };
