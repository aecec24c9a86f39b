import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;

/**
 * Basic strategy [Baldwin 1956], worked out for this table: equal scores lose, the dealer stands on every 17, and
 * a stake may be raised at any time, with all cards in sight.
 *
 * <p>It looks at its own hand and the dealer's card and takes every other card for one from an
 * endless deck. Its cards are played for the best chance to win; the money comes last: once it
 * wants no more cards and is ahead, it raises. That makes doubling, a raise before the card,
 * pointless.
 */
public class Basic {

    /** Cards by what they count, 1 to 10, of the 13 ranks. */
    private static final double[] CHANCE = {0, 1 / 13.0, 1 / 13.0, 1 / 13.0, 1 / 13.0, 1 / 13.0,
        1 / 13.0, 1 / 13.0, 1 / 13.0, 1 / 13.0, 4 / 13.0};

    /** A hand: its total with aces as 1, and whether there is an ace that might count 11. */
    record Hand(int total, boolean ace) {

        static Hand of(String cards) {
            var hand = new Hand(0, false);
            for (char card : cards.toCharArray()) hand = hand.with(worth(card));
            return hand;
        }

        Hand with(int worth) {
            return new Hand(total + worth, ace || worth == 1);
        }

        int score() {
            return ace && total <= 11 ? total + 10 : total;
        }

        boolean bust() {
            return total > 21;
        }
    }

    static int worth(char card) {
        if (card == 'A') return 1;
        return "TJQK".indexOf(card) >= 0 ? 10 : card - '0';
    }

    /** One hand against one card of the dealer's. */
    private final double[] dealerEndsWith = new double[27];
    private final Map<Hand, Double> best = new HashMap<>();

    Basic(int dealersCard) {
        playDealer(new Hand(0, false).with(dealersCard), 1);
    }

    private void playDealer(Hand dealer, double chance) {
        if (dealer.score() >= 17) {
            dealerEndsWith[dealer.score()] += chance;
            return;
        }
        for (int worth = 1; worth <= 10; worth++) {
            playDealer(dealer.with(worth), chance * CHANCE[worth]);
        }
    }

    /** The chance to win without another card. */
    double standing(Hand hand) {
        double chance = 0;
        for (int score = 17; score < dealerEndsWith.length; score++) {
            if (score < hand.score() || score > 21) chance += dealerEndsWith[score];
        }
        return chance;
    }

    /** The chance to win with another card, and the best play after it. */
    double hitting(Hand hand) {
        double chance = 0;
        for (int worth = 1; worth <= 10; worth++) {
            var next = hand.with(worth);
            if (!next.bust()) chance += CHANCE[worth] * playing(next);
        }
        return chance;
    }

    double playing(Hand hand) {
        if (!best.containsKey(hand)) best.put(hand, Math.max(standing(hand), hitting(hand)));
        return best.get(hand);
    }

    static String answer(int score, String cards, String visible, int stake, int chips) {
        var table = new Basic(worth(visible.charAt(0)));
        var hand = Hand.of(cards);
        double chance = table.standing(hand);
        if (table.hitting(hand) > chance) return "H";
        // Kelly's share of all that it owns [Kelly 1956]: what makes money grow fastest in the end.
        int raise = (int) ((2 * chance - 1) * (stake + chips)) - stake;
        return raise >= 1 ? "B " + raise : "S";
    }

    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {
            if (line.startsWith("#")) continue;
            var words = line.split(" ");
            System.out.println(answer(Integer.parseInt(words[0]), words[1], words[2],
                    Integer.parseInt(words[3]), Integer.parseInt(words[4])));
            System.out.flush();
        }
    }
}
