<?php
// A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

// Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
// the game, the phase and the legal answers, joined by commas.
function answer(array $words): string
{
    if (count($words) === 5) {
        return (int) $words[0] < 17 ? 'H' : 'S';
    }
    [$game, $phase, $legal] = $words;
    $answers = explode(',', $legal);
    if ($phase === 'discard') {  // at tarot the taker puts six cards away
        return implode(',', array_slice($answers, 0, 6));
    }
    return explode('..', $answers[0])[0];  // "0..13" stands for all numbers from 0 to 13
}

if ($argc > 1) {  // argv: the question is in the arguments
    echo answer(array_slice($argv, 1)), "\n";
    exit;
}
while (($line = fgets(STDIN)) !== false) {  // stdin: a question a line, until the game ends
    if ($line[0] !== '#') {  // "# ..." is a notice and wants no answer
        echo answer(explode(' ', trim($line))), "\n";
    }
}
