// A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;

public class Bot {

    /**
     * Choose an answer; the words of the question are all text.
     *
     * Blackjack's are score, hand, visible cards, stake and chips. Every other game's begin with
     * the game, the phase and the legal answers, joined by commas.
     */
    static String answer(String[] words) {
        if (words.length == 5) {
            return Integer.parseInt(words[0]) < 17 ? "H" : "S";
        }
        String phase = words[1];
        String[] legal = words[2].split(",");
        if (phase.equals("discard")) {  // at tarot the taker puts six cards away
            return String.join(",", Arrays.copyOf(legal, 6));
        }
        return legal[0].split("\\.\\.")[0];  // "0..13" stands for all numbers from 0 to 13
    }

    public static void main(String[] args) throws IOException {
        if (args.length > 0) {  // argv: the question is in the arguments
            System.out.println(answer(args));
            return;
        }
        var in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {  // stdin: a question a line, until the game ends
            if (line.startsWith("#")) continue;   // "# ..." is a notice and wants no answer
            System.out.println(answer(line.split(" ")));
            System.out.flush();                   // send it now, don't keep it in a buffer
        }
    }
}
