//! A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

use std::io::{self, BufRead};

/// Chooses an answer.
///
/// Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin
/// with the game, the phase and the legal answers, joined by commas.
fn answer(words: &[&str]) -> String {
    if words.len() == 5 {
        let score: u32 = words[0].parse().expect("a score");
        return if score < 17 { "H" } else { "S" }.to_string();
    }
    let (phase, legal) = (words[1], words[2]);
    let answers: Vec<&str> = legal.split(',').collect();
    if phase == "discard" {
        return answers[..6].join(","); // at tarot the taker puts six cards away
    }
    // "0..13" stands for all numbers from 0 to 13
    answers[0].split("..").next().unwrap().to_string()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.is_empty() {
        // argv: the question is in the arguments
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        println!("{}", answer(&words));
        return;
    }
    // stdin: a question a line, until the game ends; println! sends each answer at once
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line");
        if !line.starts_with('#') {
            // "# ..." is a notice and wants no answer
            let words: Vec<&str> = line.split_whitespace().collect();
            println!("{}", answer(&words));
        }
    }
}
