--  A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

with Ada.Command_Line;      use Ada.Command_Line;
with Ada.Strings.Fixed;     use Ada.Strings.Fixed;
with Ada.Strings.Unbounded; use Ada.Strings.Unbounded;
with Ada.Text_IO;           use Ada.Text_IO;

procedure Bot is

   --  The Number-th of the parts into which Separator cuts Text.
   function Field (Text : String; Number : Positive; Separator : String) return String is
      First : Positive := Text'First;
      Last  : Natural;
   begin
      for Skipped in 2 .. Number loop
         First := Index (Text, Separator, First) + Separator'Length;
      end loop;
      Last := Index (Text, Separator, First);
      return Text (First .. (if Last = 0 then Text'Last else Last - 1));
   end Field;

   --  Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin
   --  with the game, the phase and the legal answers, joined by commas.
   function Answer (Line : String) return String is
   begin
      if Ada.Strings.Fixed.Count (Line, " ") = 4 then
         return (if Integer'Value (Field (Line, 1, " ")) < 17 then "H" else "S");
      end if;
      declare
         Phase  : constant String := Field (Line, 2, " ");
         Legal  : constant String := Field (Line, 3, " ");
         Chosen : Unbounded_String := To_Unbounded_String (Field (Legal, 1, ","));
      begin
         if Phase /= "discard" then
            return Field (To_String (Chosen), 1, "..");  --  "0..13": all numbers from 0 to 13
         end if;
         for Number in 2 .. 6 loop  --  at tarot the taker puts six cards away
            Append (Chosen, "," & Field (Legal, Number, ","));
         end loop;
         return To_String (Chosen);
      end;
   end Answer;

   Question : Unbounded_String;
begin
   if Argument_Count > 0 then  --  argv: the question is in the arguments
      for Number in 1 .. Argument_Count loop
         Append (Question, (if Number = 1 then "" else " ") & Argument (Number));
      end loop;
      Put_Line (Answer (To_String (Question)));
      return;
   end if;
   while not End_Of_File loop  --  stdin: a question a line, until the game ends
      declare
         Line : constant String := Get_Line;
      begin
         if Line (Line'First) /= '#' then  --  "# ..." is a notice and wants no answer
            Put_Line (Answer (Line));
            Flush;  --  send it now, don't keep it in a buffer
         end if;
      end;
   end loop;
end Bot;
