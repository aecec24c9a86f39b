// Which cards are still to come. A round is dealt from one deck, or first from what the table's last
// round left of one; when that runs out, a fresh one follows, whose cards nobody has seen, whatever
// lies on the table.

const { FULL } = require("./odds");

function worth(card) {
  if (card === "A") return 1;
  return "TJQK".includes(card) ? 10 : Number(card);
}

class Shoe {
  constructor() {
    this.past = []; // the cards of the hands that are over, in the order they were dealt
    this.seats = 4;
  }

  // The table names the dealer's two cards first. They were dealt after everybody's first card,
  // and after everybody's second.
  #dealt(visible) {
    const [up, hidden, ...others] = visible;
    const { seats } = this;
    return [...others.slice(0, seats), up, ...others.slice(seats, 2 * seats), hidden]
      .concat(others.slice(2 * seats));
  }

  // The round begins with a deck that these cards are gone from.
  goOn(gone) {
    this.past = gone;
  }

  // A hand is over: these were its cards.
  settle(visible) {
    this.past.push(...this.#dealt(visible));
  }

  // Counts what may still come, by worth: `pool` is the deck that is dealt from, `hole` the one
  // that the dealer's hidden card came out of: the same array, or what is left of the deck before.
  unseen(visible) {
    this.seats = Math.min(this.seats, Math.floor(visible.length / 2) - 1);
    const counted = this.#count([...this.past, ...this.#dealt(visible)]);
    if (counted.pool.every((count) => count >= 0) && counted.hole.every((count) => count >= 0)) {
      return counted;
    }
    this.past = []; // it can't have been so: start counting again with this hand
    return this.#count(visible);
  }

  #count(cards) {
    let pool = FULL.slice();
    let hole = pool;
    cards.forEach((card, place) => {
      if (place > 0 && place % 52 === 0) pool = FULL.slice();
      if (card === "#") hole = pool;
      else pool[worth(card) - 1]--;
    });
    return { pool, hole };
  }
}

module.exports = { Shoe, worth };
