# A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

$stdout.sync = true # send every answer at once, don't keep it in a buffer

# Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
# the game, the phase and the legal answers, joined by commas. All words are strings.
def answer(words)
  return words[0].to_i < 17 ? "H" : "S" if words.size == 5

  _game, phase, legal = words
  answers = legal.split(",")
  return answers.first(6).join(",") if phase == "discard" # at tarot the taker puts six cards away

  answers[0].split("..")[0] # "0..13" stands for all numbers from 0 to 13
end

if ARGV.empty?
  $stdin.each_line do |line| # stdin: a question a line, until the game ends
    puts answer(line.split) unless line.start_with?("#") # "# ..." is a notice and wants no answer
  end
else
  puts answer(ARGV) # argv: the question is in the arguments
end
