# A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.

# Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
# the game, the phase and the legal answers, joined by commas.
proc answer {words} {
    if {[llength $words] == 5} {
        return [expr {[lindex $words 0] < 17 ? "H" : "S"}]
    }
    lassign $words game phase legal
    set answers [split $legal ,]
    if {$phase eq "discard"} {
        return [join [lrange $answers 0 5] ,]           ;# at tarot the taker puts six cards away
    }
    return [lindex [split [lindex $answers 0] .] 0]     ;# "0..13": all numbers from 0 to 13
}

if {$argc > 0} {
    puts [answer $argv]                                 ;# argv: the question is in the arguments
} else {
    while {[gets stdin line] >= 0} {                    ;# stdin: a question a line
        if {[string index $line 0] eq "#"} continue     ;# "# ..." is a notice and wants no answer
        puts [answer [split $line]]
        flush stdout                                    ;# send it now
    }
}
