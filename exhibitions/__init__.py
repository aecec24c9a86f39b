"""Tables at which people play: their database, and the cards that they are dealt."""
