;;;; A whole blackjack bot: draws below 17, stands from there on.
;;;; The arena compiles this file and calls (main).

(defun answer (score hand visible stake chips)
  "Choose H (hit), S (stand), D (double down) or \"B 25\" (bet 25 more).
VISIBLE is every card on the table, the dealer's two first and the hidden one as #.
Every word arrives as a string."
  (declare (ignore hand visible stake chips))
  (if (< (parse-integer score) 17) "H" "S"))

(defun words (line)
  "Split LINE at its spaces."
  (loop for start = 0 then (1+ end)
        for end = (position #\Space line :start start)
        collect (subseq line start end)
        while end))

(defun main ()
  (let ((arguments (rest sb-ext:*posix-argv*)))
    (if arguments                             ; argv: the question is in the arguments
        (write-line (apply #'answer arguments))
        (loop for line = (read-line *standard-input* nil)
              while line                      ; stdin: a question a line, until the game ends
              unless (char= (char line 0) #\#) ; "# ..." is news and wants no answer
                do (write-line (apply #'answer (words line)))
                   (finish-output)))))        ; send it now, don't keep it in a buffer
