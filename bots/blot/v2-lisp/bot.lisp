;;;; v2: the second bidder of [Bazar Blot n.d.], with a player that takes what it can.
;;;; Answer for answer the Python one of ../v2.

(defparameter *strains* "HSCDN")        ; of equal ones the first is bid
(defparameter *support* 1.5d0)          ; what the partner's raise is divided by
(defparameter *no-trump* 1.7d0)         ; what everything without trumps is divided by
(defparameter *caution* 4.5d0)          ; what a hand must be worth for each level
(defparameter *lowest* 8)
(defparameter *highest* 80)

(defun fields (text separator)
  "Split TEXT at every SEPARATOR."
  (loop for start = 0 then (1+ end)
        for end = (position separator text :start start)
        collect (subseq text start end)
        while end))

(defun listed (text)
  "The parts of a word that are joined by commas; none of a dash."
  (unless (string= text "-")
    (fields text #\,)))

(defun rank (card) (char card 0))
(defun suit (card) (char card 1))

(defun points (card strain)
  "What CARD counts under a contract in STRAIN."
  (let ((trump (char= (suit card) strain)))
    (ecase (rank card)
      (#\A (if (char= strain #\N) 19 11))
      (#\T 10)
      (#\K 4)
      (#\Q 3)
      (#\J (if trump 20 2))
      (#\9 (if trump 14 0))
      ((#\8 #\7) 0))))

;;; The auction

(defun lowest-bid (legal)
  "The lowest level that may be bid without capot, or nil."
  (let* ((last (first (last legal)))
         (end (1- (length last))))
    (when (and (char= (char last end) #\+)
               (char/= (char last (1- end)) #\c))
      (parse-integer last :end end))))

(defun partners-raise (seat dealer calls)
  "The strain of the partner's last bid, and by how much it went over the lowest that was allowed."
  (let ((start *lowest*) (strain nil) (raise 0))
    (loop for call in calls
          for bidder = (mod (1+ dealer) 4) then (mod (1+ bidder) 4)
          when (digit-char-p (char call 0))
            do (let* ((bid (string-right-trim "c" call))
                      (end (1- (length bid)))
                      (level (parse-integer bid :end end)))
                 (when (= (mod (- bidder seat) 4) 2)
                   (setf strain (char bid end)
                         raise (- level start)))
                 (setf start (1+ level))))
    (values strain raise)))

(defun worth (hand strain support)
  "What HAND is worth in STRAIN, with what its partner has bid in it."
  (if (char= strain #\N)
      (/ (+ (loop for card in hand sum (points card #\N)) support) *no-trump*)
      (+ (loop for card in hand
               when (char= (suit card) strain)
                 sum (points card strain))
         support)))

(defun bid (legal seat dealer hand calls)
  "Bid the best strain, and one level more for every 20, or pass."
  (let ((lowest (lowest-bid legal)) (best nil) (most -1))
    (unless lowest
      (return-from bid "P"))
    (multiple-value-bind (partners raise) (partners-raise seat dealer calls)
      (loop for strain across *strains*
            for worth = (worth hand strain (if (eql strain partners) (/ raise *support*) 0))
            when (> worth most)
              do (setf best strain most worth)))
    (if (> (* *caution* lowest) most)
        "P"
        (format nil "~d~c" (min *highest* (+ lowest (floor (/ most 20)))) best))))

;;; The play

(defun height (card strain)
  "A number that is higher for a better card: trumps first, then what it counts."
  (+ (if (char= (suit card) strain) 10000 0)
     (* 200 (points card strain))
     (char-code (rank card))))

(defun play (legal strain)
  "Play the highest card, and say all that can be said with it: the longest answer."
  (let ((best (first legal)))
    (dolist (answer (rest legal) best)
      (let ((more (- (height answer strain) (height best strain))))
        (when (or (plusp more)
                  (and (zerop more)
                       (char= (suit answer) (suit best))
                       (> (length answer) (length best))))
          (setf best answer))))))

(defun contract-strain (contract)
  "The strain of a contract such as `10Sx@2` or `25Nc@0`."
  (find-if (lambda (letter) (find letter *strains*)) contract))

(defun answer (words)
  "Choose an answer to a question of blot."
  (destructuring-bind (phase legal seat dealer hand auction contract &rest more) (rest words)
    (declare (ignore more))
    (if (string= phase "bid")
        (bid (listed legal) (parse-integer seat) (parse-integer dealer) (listed hand)
             (listed auction))
        (play (listed legal) (contract-strain contract)))))

(defun main ()
  (let ((arguments (rest sb-ext:*posix-argv*)))
    (if arguments                             ; argv: the question is in the arguments
        (write-line (answer arguments))
        (loop for line = (read-line *standard-input* nil)
              while line                      ; stdin: a question a line, until the game ends
              unless (char= (char line 0) #\#) ; "# ..." is news and wants no answer
                do (write-line (answer (fields line #\Space)))
                   (finish-output)))))
