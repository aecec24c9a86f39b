// A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// answer chooses one; the words of the question are all text.
//
// Blackjack's are score, hand, visible cards, stake and chips. Every other game's begin with the
// game, the phase and the legal answers, joined by commas.
func answer(words []string) string {
	if len(words) == 5 {
		if score, _ := strconv.Atoi(words[0]); score < 17 {
			return "H"
		}
		return "S"
	}
	phase, legal := words[1], strings.Split(words[2], ",")
	if phase == "discard" { // at tarot the taker puts six cards away
		return strings.Join(legal[:6], ",")
	}
	first, _, _ := strings.Cut(legal[0], "..") // "0..13": all numbers from 0 to 13
	return first
}

func main() {
	if len(os.Args) > 1 { // argv: the question is in the arguments
		fmt.Println(answer(os.Args[1:]))
		return
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() { // stdin: a question a line, until the game ends
		if line := lines.Text(); !strings.HasPrefix(line, "#") { // "# ..." is a notice
			fmt.Println(answer(strings.Fields(line))) // written at once, without a buffer
		}
	}
}
