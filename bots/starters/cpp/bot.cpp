// A whole blackjack bot: draws below 17, stands from there on.

#include <iostream>
#include <sstream>
#include <string>

// The words of one question. `visible` is every card on the table, the dealer's two first and the
// hidden one as '#'.
struct Question {
    int score;
    std::string hand, visible;
    int stake, chips;
};

// Choose "H" (hit), "S" (stand), "D" (double down) or "B 25" (bet 25 more).
std::string answer(const Question& q)
{
    return q.score < 17 ? "H" : "S";
}

Question parse(const std::string& line)
{
    Question q;
    std::istringstream(line) >> q.score >> q.hand >> q.visible >> q.stake >> q.chips;
    return q;
}

int main(int argc, char* argv[])
{
    if (argc > 1) {  // argv: the question is in the arguments
        std::string words;
        for (int i = 1; i < argc; ++i)
            words += std::string(argv[i]) + ' ';
        std::cout << answer(parse(words)) << '\n';
        return 0;
    }
    std::string line;
    while (std::getline(std::cin, line))  // stdin: a question a line, until the game ends
        if (line[0] != '#')               // "# ..." is news and wants no answer
            std::cout << answer(parse(line)) << std::endl;  // endl sends it now
}
