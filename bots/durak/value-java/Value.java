import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Does what leaves it the hand that is worth most, by the decisions of [Fools n.d., part 2]. */
public class Value {

    /** For an attack: by how many cards of the rank are in the hand. */
    private static final double[] ATTACK_BONUSES = {0.0, 0.0, 1.0, 1.5, 2.5};

    private final Table table;
    private final HandValue value;

    Value(Table table) {
        this.table = table;
        this.value = new HandValue(table.trump(), table.talon(), table.sizes(), table.ranks());
    }

    String decide() {
        return switch (table.phase()) {
            case "attack" -> best(table.cards(), this::attacking);
            case "defend" -> {
                var passing = table.passing();
                yield worthPassing(passing) ? pass(passing) : defend();
            }
            default -> throwIn();
        };
    }

    private String throwIn() {
        String card = best(table.cards(), this::attacking);
        boolean cheap = value.of(table.hand()) - attacking(card) < 1200 - 50 * table.talon();
        return cheap ? card : "done";
    }

    /** The rest of the hand, and a bonus for the rank, which grows with its cards and its height. */
    private int attacking(String card) {
        char rank = card.charAt(0);
        long count = table.hand().stream().filter(held -> held.charAt(0) == rank).count();
        int number = Table.RANKS.indexOf(rank) + 2; // as printed on the card; the jack is 11
        int height = rank == 'A' ? 6 : number - 8;
        return rest(card) + (int) Math.round(100 * ATTACK_BONUSES[(int) count] * height);
    }

    private String defend() {
        var beating = table.cards();
        if (beating.isEmpty()) return "take";
        String card = best(beating, this::beating);
        var taken = new ArrayList<>(table.hand());
        taken.addAll(table.laid());
        int beat = beating(card);
        boolean beats = value.of(table.hand()) - beat < 800
                || value.of(taken) - beat < 2000 - 40 * table.talon()
                || table.talon() == 0;
        return beats ? card : "take";
    }

    /** The rest of the hand, and 300 where the rank lies there and so lets nobody throw in more. */
    private int beating(String card) {
        boolean there = table.laid().stream().anyMatch(laid -> laid.charAt(0) == card.charAt(0));
        return rest(card) + (there ? 300 : 0);
    }

    /** Whether the hand without the rank, or with only its trump, is worth nearly as much. */
    private boolean worthPassing(List<String> cards) {
        int least = value.of(table.hand()) - 400;
        return !cards.isEmpty() && (rest(cards) > least || rest(plainOf(cards)) > least);
    }

    private String pass(List<String> cards) {
        return "pass:" + best(plainOf(cards), this::rest);
    }

    /** Those that are no trumps, or the trump where there is nothing else. */
    private List<String> plainOf(List<String> cards) {
        var plain = cards.stream().filter(card -> !table.isTrump(card)).toList();
        return plain.isEmpty() ? cards : plain;
    }

    private int rest(String card) {
        return rest(List.of(card));
    }

    /** What the own hand is worth when these cards have left it. */
    private int rest(List<String> cards) {
        return value.of(table.hand().stream().filter(card -> !cards.contains(card)).toList());
    }

    /** The first of those that are worth most. */
    private static String best(List<String> cards, ToIntFunction<String> worth) {
        String best = cards.get(0);
        for (String card : cards) {
            if (worth.applyAsInt(card) > worth.applyAsInt(best)) best = card;
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
