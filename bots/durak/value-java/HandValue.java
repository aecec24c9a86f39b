import java.util.List;

/**
 * The number of [Fools n.d., part 1] for a hand, in the order in which its program computes it.
 *
 * <p>It is written from the article's formula and not from the Python bot's, so that the two can
 * check each other. Every step says what is a whole number there and what a floating-point one.
 */
record HandValue(char trump, int remaining, int[] handSizes, int ranks) {

    private static final int WON = 30000;
    private static final int TRUMP = 1300;
    private static final int MANY_CARDS = 600;
    private static final int UNBALANCED = 200;
    /** For how many cards there are of a rank; it is added to hundreds and not multiplied by 100. */
    private static final double[] BONUSES = {0.0, 0.0, 0.5, 0.75, 1.25};

    /** What the hand is worth; the talon and the hands' sizes stay those of the question. */
    int of(List<String> hand) {
        if (hand.isEmpty() && remaining == 0) return WON;
        int res = 0;
        for (String card : hand) {
            res += (int) (relative(card.charAt(0)) * 100);
            if (card.charAt(1) == trump) res += TRUMP;
        }
        for (char rank : Table.RANKS.toCharArray()) {
            long count = hand.stream().filter(card -> card.charAt(0) == rank).count();
            res += (int) (Math.max(relative(rank), 1.0) * BONUSES[(int) count]);
        }
        double avg = hand.stream().filter(card -> card.charAt(1) != trump).count() / 3.0;
        for (char suit : Table.SUITS.toCharArray()) {
            if (suit == trump) continue;
            long count = hand.stream().filter(card -> card.charAt(1) == suit).count();
            double dev = Math.abs((count - avg) / avg);
            res -= (int) (UNBALANCED * dev); // without plain cards dev is NaN, which is cast to 0
        }
        int inPlay = remaining - hand.size();
        for (int size : handSizes) inPlay += size;
        double ratio = inPlay == 0 ? 10.0 : hand.size() / inPlay; // divided as whole numbers
        res += (int) ((0.25 - ratio) * MANY_CARDS);
        return res;
    }

    /** A rank's height above the middle of the pack: 6 for the ace to -6 for the two of 52 cards. */
    private double relative(char rank) {
        int fromLowest = Table.RANKS.indexOf(rank) - (Table.RANKS.length() - ranks);
        return fromLowest - (ranks - 1) / 2.0;
    }
}
