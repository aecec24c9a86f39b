import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Puts a number on a hand, and does what leaves it the hand that is worth most.
 *
 * <p>The numbers are those of the article "A game (not) for fools" and of the program that came
 * with it, taken literally: where that divides whole numbers and drops the rest, so does this.
 */
public class Value {

    private static final double EMPTY = 30000;
    private static final double[] BONUS = {0, 0, 0.5, 0.75, 1.25};
    private static final double[] PAIRING = {0, 0, 1, 1.5, 2.5};

    private final Table table;

    Value(Table table) {
        this.table = table;
    }

    /** What a hand is worth: high cards, trumps, equal ranks, few cards, and even suits. */
    double of(List<String> hand) {
        if (hand.isEmpty() && table.talon() == 0) return EMPTY;
        double value = 0;
        var ofRank = new int[Table.RANKS.length()];
        var ofSuit = new int[128];
        for (String card : hand) {
            value += 100 * table.height(card) + (table.isTrump(card) ? 1300 : 0);
            ofRank[Table.RANKS.indexOf(card.charAt(0))]++;
            ofSuit[card.charAt(1)]++;
        }
        for (int rank = 0; rank < ofRank.length; rank++) {
            double height = table.height("" + Table.RANKS.charAt(rank));
            value += (int) (Math.max(height, 1) * BONUS[ofRank[rank]]);
        }
        double even = (hand.size() - ofSuit[table.trump()]) / 3.0;
        for (char suit : "CDHS".toCharArray()) {
            if (even == 0 || suit == table.trump()) continue;
            value -= (int) (200 * Math.abs(ofSuit[suit] - even) / even);
        }
        int others = table.talon() + table.inHands() - hand.size();
        int share = others == 0 ? 10 : hand.size() / others;
        return value + (int) ((0.25 - share) * 600);
    }

    /** What the own hand is worth when these cards have left it. */
    double without(List<String> cards) {
        return of(table.hand().stream().filter(card -> !cards.contains(card)).toList());
    }

    double without(String card) {
        return without(List.of(card));
    }

    /** What it is worth to attack with a card: the rest, and the others of its rank. */
    double laid(String card) {
        char rank = card.charAt(0);
        int count = (int) table.hand().stream().filter(other -> other.charAt(0) == rank).count();
        return without(card) + 100 * PAIRING[count] * (Table.RANKS.indexOf(rank) - 6);
    }

    String decide() {
        if (table.phase().equals("defend")) {
            String passed = transfer();
            return passed != null ? passed : defend();
        }
        String best = best(table.cards(), this::laid);
        if (table.phase().equals("attack")) return best;
        double loss = of(table.hand()) - laid(best);
        return loss < 1200 - 50 * table.talon() ? best : "done";
    }

    /** Pass the attack on where the hand without the rank is not worth much less, else null. */
    private String transfer() {
        var same = table.legal().stream().filter(word -> word.startsWith("pass:"))
                .map(word -> word.substring(5)).toList();
        if (same.isEmpty()) return null;
        var plain = same.stream().filter(card -> !table.isTrump(card)).toList();
        if (plain.isEmpty()) plain = same;
        if (Math.max(without(same), without(plain)) <= of(table.hand()) - 400) return null;
        return "pass:" + best(plain, this::without);
    }

    /** Beat the card where that costs little, or less than to take; without a talon always. */
    private String defend() {
        if (table.cards().isEmpty()) return "take";
        String best = best(table.cards(), this::kept);
        var all = new ArrayList<>(table.hand());
        all.addAll(table.laid());
        double now = of(table.hand());
        double taken = of(all);
        double kept = kept(best);
        boolean cheap = now - kept < 800 || taken - kept < 2000 - 40 * table.talon();
        return cheap || table.talon() == 0 ? best : "take";
    }

    /** What is kept by beating with a card; one whose rank lies there lets nobody throw in more. */
    private double kept(String card) {
        boolean there = table.laid().stream().anyMatch(laid -> laid.charAt(0) == card.charAt(0));
        return without(card) + (there ? 300 : 0);
    }

    /** The first of those that are worth most. */
    private static String best(List<String> cards, ToDoubleFunction<String> worth) {
        String best = null;
        for (String card : cards) {
            if (best == null || worth.applyAsDouble(card) > worth.applyAsDouble(best)) best = card;
        }
        return best;
    }

    static String answer(String[] words) {
        return new Value(Table.of(words)).decide();
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length > 0) {
            System.out.println(answer(arguments));
            return;
        }
        var in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {
            if (line.startsWith("#")) continue;
            System.out.println(answer(line.split(" ")));
            System.out.flush();
        }
    }
}
