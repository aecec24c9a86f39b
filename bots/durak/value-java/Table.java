import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a question tells, as far as the value of a hand depends on it. */
record Table(String phase, List<String> legal, List<String> hand, char trump, int talon,
        int[] sizes, List<String> laid, int ranks) {

    static final String RANKS = "23456789TJQKA";
    static final String SUITS = "CDHS";

    static Table of(String[] words) {
        var laid = new ArrayList<String>();
        if (!words[8].equals("-")) {
            for (String card : words[8].split("[-,]")) if (!card.isEmpty()) laid.add(card);
        }
        int talon = Integer.parseInt(words[6]);
        int[] sizes = Stream.of(words[7].split(",")).mapToInt(Integer::parseInt).toArray();
        int pack = talon + laid.size() + gone(words[12], !laid.isEmpty());
        for (int size : sizes) pack += size;
        return new Table(words[1], List.of(words[2].split(",")), List.of(words[4].split(",")),
                words[5].charAt(0), talon, sizes, laid, pack / SUITS.length());
    }

    /** How many cards left the game in the bouts that have ended. */
    private static int gone(String history, boolean lastIsOpen) {
        var bouts = history.equals("-") ? new String[0] : history.split("/");
        int gone = 0;
        for (int i = 0; i < bouts.length - (lastIsOpen ? 1 : 0); i++) {
            if (!bouts[i].contains("take")) gone += laidIn(bouts[i]);
        }
        return gone;
    }

    private static int laidIn(String bout) {
        int cards = 0;
        for (String play : bout.split(",")) {
            if (play.contains("done") || play.contains("show")) continue;
            cards += play.split("\\+").length;
        }
        return cards;
    }

    /** The legal answers that are one card. */
    List<String> cards() {
        return legal.stream().filter(word -> word.length() == 2).toList();
    }

    /** The cards that would pass the attack on by themselves, or none. */
    List<String> passing() {
        return legal.stream().filter(word -> word.startsWith("pass:"))
                .map(word -> word.substring("pass:".length())).toList();
    }

    boolean isTrump(String card) {
        return card.charAt(1) == trump;
    }
}
