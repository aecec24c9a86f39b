{ A whole bot for every game: any answer that is allowed, and at blackjack a sensible one. }
program Bot;

{$mode objfpc}{$H+}

uses
  SysUtils;

type
  TWords = TStringArray;

{ Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
  the game, the phase and the legal answers, joined by commas. }
function Answer(const Words: TWords): string;
var
  Legal: TStringArray;
begin
  if Length(Words) = 5 then
  begin
    if StrToInt(Words[0]) < 17 then
      Exit('H');
    Exit('S');
  end;
  Legal := Words[2].Split([',']);
  if Words[1] = 'discard' then          { at tarot the taker puts six cards away }
    Exit(string.Join(',', Legal, 0, 6));
  Answer := Legal[0].Split(['..'])[0];  { "0..13" stands for all numbers from 0 to 13 }
end;

var
  Words: TWords;
  Line: string;
  I: Integer;
begin
  if ParamCount > 0 then
  begin                                 { argv: the question is in the arguments }
    SetLength(Words, ParamCount);
    for I := 1 to ParamCount do
      Words[I - 1] := ParamStr(I);
    WriteLn(Answer(Words));
    Exit;
  end;
  while not EOF do
  begin                                 { stdin: a question a line, until the game ends }
    ReadLn(Line);
    if Line[1] = '#' then               { "# ..." is a notice and wants no answer }
      Continue;
    WriteLn(Answer(Line.Split([' '])));
    Flush(Output);                      { send it now, don't keep it in a buffer }
  end;
end.
