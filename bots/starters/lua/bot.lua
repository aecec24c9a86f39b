-- A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

io.stdout:setvbuf("no") -- send every answer at once, don't keep it in a buffer

-- Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
-- the game, the phase and the legal answers, joined by commas.
local function answer(words)
  if #words == 5 then
    return tonumber(words[1]) < 17 and "H" or "S"
  end
  local phase, legal = words[2], words[3]
  if phase == "discard" then -- at tarot the taker puts six cards away
    return legal:match("^" .. ("[^,]+,"):rep(5) .. "[^,]+")
  end
  return (legal:match("^[^,]+"):gsub("%.%..*", "")) -- "0..13": all numbers from 0 to 13
end

if #arg > 0 then
  print(answer(arg)) -- argv: the question is in the arguments
else
  for line in io.lines() do -- stdin: a question a line, until the game ends
    if line:sub(1, 1) ~= "#" then -- "# ..." is a notice and wants no answer
      local words = {}
      for word in line:gmatch("%S+") do
        words[#words + 1] = word
      end
      print(answer(words))
    end
  end
end
