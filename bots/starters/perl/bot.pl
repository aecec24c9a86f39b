# A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.
use strict;
use warnings;

$| = 1;    # send every answer at once, don't keep it in a buffer

# Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
# the game, the phase and the legal answers, joined by commas.
sub answer {
    my @words = @_;
    return $words[0] < 17 ? 'H' : 'S' if @words == 5;
    my ( $game, $phase, $legal ) = @words;
    my @answers = split /,/, $legal;
    return join ',', @answers[ 0 .. 5 ] if $phase eq 'discard';    # at tarot: six cards put away
    return $answers[0] =~ s/\.\..*//r;    # "0..13" stands for all numbers from 0 to 13
}

if (@ARGV) {
    print answer(@ARGV), "\n";            # argv: the question is in the arguments
}
else {
    while ( my $line = <STDIN> ) {        # stdin: a question a line, until the game ends
        next if $line =~ /^#/;            # "# ..." is a notice and wants no answer
        print answer( split ' ', $line ), "\n";
    }
}
