;;;; A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.
;;;; The arena compiles this file and calls (main).

(defun fields (text separator)
  "Split TEXT at every SEPARATOR."
  (loop for start = 0 then (1+ end)
        for end = (position separator text :start start)
        collect (subseq text start end)
        while end))

(defun answer (words)
  "Choose an answer; the WORDS of the question are all text.
Blackjack's are score, hand, visible cards, stake and chips. Every other game's begin with the
game, the phase and the legal answers, joined by commas."
  (if (= (length words) 5)
      (if (< (parse-integer (first words)) 17) "H" "S")
      (let ((phase (second words))
            (legal (fields (third words) #\,)))
        (if (string= phase "discard")         ; at tarot the taker puts six cards away
            (format nil "~{~a~^,~}" (subseq legal 0 6))
            ;; "0..13" stands for all numbers from 0 to 13
            (subseq (first legal) 0 (search ".." (first legal)))))))

(defun main ()
  (let ((arguments (rest sb-ext:*posix-argv*)))
    (if arguments                             ; argv: the question is in the arguments
        (write-line (answer arguments))
        (loop for line = (read-line *standard-input* nil)
              while line                      ; stdin: a question a line, until the game ends
              unless (char= (char line 0) #\#) ; "# ..." is a notice and wants no answer
                do (write-line (answer (fields line #\Space)))
                   (finish-output)))))        ; send it now, don't keep it in a buffer
