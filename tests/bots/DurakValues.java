import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;

/** The value of a hand at the table of each question; a line is a question, a tab and the hand. */
public class DurakValues {

    public static void main(String[] arguments) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {
            String[] parts = line.split("\t", 2);
            Table table = Table.of(parts[0].split(" "));
            var value = new HandValue(table.trump(), table.talon(), table.sizes(), table.ranks());
            List<String> hand = parts[1].isEmpty() ? List.of() : List.of(parts[1].split(","));
            System.out.println(value.of(hand));
        }
    }
}
