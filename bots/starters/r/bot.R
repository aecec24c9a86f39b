# A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

# Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
# the game, the phase and the legal answers, joined by commas.
answer <- function(words) {
  if (length(words) == 5) {
    return(if (as.integer(words[1]) < 17) "H" else "S")
  }
  phase <- words[2]
  legal <- strsplit(words[3], ",", fixed = TRUE)[[1]]
  if (phase == "discard") {
    return(paste(legal[1:6], collapse = ",")) # at tarot the taker puts six cards away
  }
  sub("\\.\\..*", "", legal[1]) # "0..13" stands for all numbers from 0 to 13
}

words <- commandArgs(trailingOnly = TRUE)
if (length(words) > 0) {
  cat(answer(words), "\n", sep = "") # argv: the question is in the arguments
} else {
  questions <- file("stdin", "r")
  while (length(line <- readLines(questions, n = 1)) > 0) { # stdin: a question a line
    if (!startsWith(line, "#")) { # "# ..." is a notice and wants no answer
      cat(answer(strsplit(line, " ", fixed = TRUE)[[1]]), "\n", sep = "")
    }
  }
}
