%% A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.
%% The arena compiles this file and calls main with the arguments.
-module(bot).
-export([main/1]).

main([]) -> listen();                           % stdin: a question a line, until the game ends
main(Words) -> io:put_chars([answer(Words), $\n]).  % argv: the question is in the arguments

listen() ->
    case io:get_line("") of
        eof -> ok;
        "#" ++ _News -> listen();               % "# ..." is a notice and wants no answer
        Line -> io:put_chars([answer(string:lexemes(Line, " \n")), $\n]), listen()
    end.

%% Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
%% the game, the phase and the legal answers, joined by commas.
answer([Score, _Hand, _Visible, _Stake, _Chips]) ->
    case list_to_integer(Score) < 17 of
        true -> "H";
        false -> "S"
    end;
answer([_Game, Phase, Legal | _]) ->
    Answers = string:lexemes(Legal, ","),
    case Phase of
        "discard" -> lists:join(",", lists:sublist(Answers, 6));  % at tarot: six cards put away
        _ -> hd(string:lexemes(hd(Answers), "."))    % "0..13": all numbers from 0 to 13
    end.
