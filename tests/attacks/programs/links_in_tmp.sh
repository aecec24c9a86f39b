#!/bin/sh
# tries: to have whoever cleans up follow a link, block in a fifo or stumble over a name
# expect: answer done
cd /tmp
ln -s /bot bot; ln -s / root; ln -s loop loop
mkfifo fifo
touch -- '-rf' 'a
b' "$(printf '\377\033[2J')"
mkdir closed && touch closed/file && chmod 0 closed
echo done
