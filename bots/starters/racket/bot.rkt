#lang racket/base
;; A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

(require racket/list racket/string)

;; Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
;; the game, the phase and the legal answers, joined by commas.
(define (answer words)
  (if (= (length words) 5)
      (if (< (string->number (first words)) 17) "H" "S")
      (let ([phase (second words)]
            [legal (string-split (third words) ",")])
        (if (string=? phase "discard")
            (string-join (take legal 6) ",")         ; at tarot the taker puts six cards away
            (first (string-split (first legal) "..")))))) ; "0..13": all numbers from 0 to 13

(define (say text)
  (displayln text)
  (flush-output))                                    ; send it now, don't keep it in a buffer

(define arguments (vector->list (current-command-line-arguments)))
(if (null? arguments)
    (for ([line (in-lines)]                          ; stdin: a question a line
          #:unless (string-prefix? line "#"))        ; "# ..." is a notice and wants no answer
      (say (answer (string-split line))))
    (say (answer arguments)))                        ; argv: the question is in the arguments
