// A whole blackjack bot: draws below 17, stands from there on.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Bot {

    /**
     * Choose "H" (hit), "S" (stand), "D" (double down) or "B 25" (bet 25 more).
     *
     * The words: score, hand, visible cards (the dealer's two first, the hidden one as "#"),
     * stake, chips.
     */
    static String answer(String[] words) {
        int score = Integer.parseInt(words[0]);
        return score < 17 ? "H" : "S";
    }

    public static void main(String[] args) throws IOException {
        if (args.length > 0) {  // argv: the question is in the arguments
            System.out.println(answer(args));
            return;
        }
        var in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {  // stdin: a question a line, until the game ends
            if (line.startsWith("#")) continue;   // "# ..." is news and wants no answer
            System.out.println(answer(line.split(" ")));
            System.out.flush();                   // send it now, don't keep it in a buffer
        }
    }
}
