-- A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.
module Main (main) where

import Data.List (intercalate, isPrefixOf)
import System.Environment (getArgs)
import System.IO (BufferMode (LineBuffering), hSetBuffering, stdout)

-- | Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin
-- with the game, the phase and the legal answers, joined by commas.
answer :: [String] -> String
answer [score, _hand, _visible, _stake, _chips]
  | (read score :: Int) < 17 = "H"
  | otherwise = "S"
answer (_game : "discard" : legal : _) = intercalate "," (take 6 (commas legal)) -- at tarot
answer (_game : _phase : legal : _) = lowest (head (commas legal))
answer words' = error ("not a question: " ++ unwords words')

commas :: String -> [String]
commas text = case break (== ',') text of
  (field, _ : rest) -> field : commas rest
  (field, []) -> [field]

-- | "0..13" stands for all numbers from 0 to 13.
lowest :: String -> String
lowest = takeWhile (/= '.')

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering -- send every answer at once
  arguments <- getArgs
  if null arguments
    then do
      questions <- filter (not . isPrefixOf "#") . lines <$> getContents -- "# ..." is a notice
      mapM_ (putStrLn . answer . words) questions -- stdin: a question a line
    else putStrLn (answer arguments) -- argv: the question is in the arguments
