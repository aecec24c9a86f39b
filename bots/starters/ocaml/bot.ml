(* A whole bot for every game: any answer that is allowed, and at blackjack a sensible one. *)

(* "0..13" stands for all numbers from 0 to 13. *)
let lowest range = List.hd (String.split_on_char '.' range)

(* Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
   the game, the phase and the legal answers, joined by commas. *)
let answer = function
  | [ score; _hand; _visible; _stake; _chips ] ->
      if int_of_string score < 17 then "H" else "S"
  | _game :: phase :: legal :: _ -> (
      match (phase, String.split_on_char ',' legal) with
      (* at tarot the taker puts six cards away *)
      | "discard", a :: b :: c :: d :: e :: f :: _ -> String.concat "," [ a; b; c; d; e; f ]
      | _, answers -> lowest (List.hd answers))
  | _ -> failwith "not a question"

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [] -> (
      (* stdin: a question a line, until the game ends *)
      try
        while true do
          let line = read_line () in
          (* "# ..." is a notice and wants no answer *)
          if line.[0] <> '#' then print_endline (answer (String.split_on_char ' ' line))
        done
      with End_of_file -> ())
  | words -> print_endline (answer words) (* argv: the question is in the arguments *)
