// A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using Words = std::vector<std::string>;

// Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
// the game, the phase and the legal answers, joined by commas.
std::string answer(const Words& words)
{
    if (words.size() == 5)
        return std::stoi(words[0]) < 17 ? "H" : "S";
    const std::string& phase = words[1];
    std::istringstream legal(words[2]);
    std::string chosen, next;
    std::getline(legal, chosen, ',');
    if (phase != "discard")
        return chosen.substr(0, chosen.find(".."));  // "0..13": all numbers from 0 to 13
    for (int i = 1; i < 6; ++i) {                    // at tarot the taker puts six cards away
        std::getline(legal, next, ',');
        chosen += ',' + next;
    }
    return chosen;
}

Words split(const std::string& line)
{
    Words words;
    std::istringstream in(line);
    for (std::string word; in >> word;)
        words.push_back(word);
    return words;
}

int main(int argc, char* argv[])
{
    if (argc > 1) {  // argv: the question is in the arguments
        std::cout << answer(Words(argv + 1, argv + argc)) << '\n';
        return 0;
    }
    for (std::string line; std::getline(std::cin, line);)  // stdin: a question a line
        if (line[0] != '#')                           // "# ..." is a notice and wants no answer
            std::cout << answer(split(line)) << std::endl;  // endl sends it now
}
