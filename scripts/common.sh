# What the scripts share: where things are, and how to install what is missing. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
top=$PWD
venv=$top/.venv
PATH=$PATH:/usr/sbin  # where an ordinary user's shell doesn't look, and some programs are

say() { printf '%s\n' "$*" >&2; }
stop() { say "$*"; exit 2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    command -v sudo >/dev/null || stop "This needs root or sudo: $*"
    sudo "$@"
  fi
}

missing=()  # Debian packages to install

# want PROGRAM PACKAGE...: adds the packages to `missing` if the program is not on this machine.
want() { command -v "$1" >/dev/null || missing+=("${@:2}"); }

# apt_get LOG ARGUMENT...: waits while another apt works, and for a network that fails for a moment.
apt_get() {
  local log=$1 waited=0
  until as_root env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    --no-install-recommends -o Acquire::Retries=3 "${@:2}" >"$log" 2>&1; do
    grep -q "Could not get lock" "$log" || return 1
    [ $waited != 0 ] || say "Waiting for another apt to end: $(grep -m 1 "Could not get lock" "$log")"
    [ $waited -lt 600 ] || stop "It has not ended in 10 minutes. End it, then run this again."
    sleep 5
    waited=$((waited + 5))
  done
}

# apt_try WHAT: installs what can be had of `missing` for WHAT, names the rest and leaves it there.
apt_try() {
  [ ${#missing[@]} != 0 ] && command -v apt-get >/dev/null || return 0
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || return 0
  say "Installing with apt, for $1: ${missing[*]}"
  local log package refused=()
  log=$(mktemp)
  as_root true || { say "You may not use sudo here."; return 0; }
  if [ -z "${apt_updated:-}" ]; then
    apt_get "$log" update || grep '^E:' "$log" >&2 || true
    apt_updated=1
  fi
  # One package that can't be had stops all others. Each is tried alone then.
  apt_get "$log" install "${missing[@]}" || for package in "${missing[@]}"; do
    apt_get "$log" install "$package" && continue
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ] || continue
    refused+=("$package")
    say "apt could not install $package: $(grep -m 1 '^E:' "$log" || tail -n 1 "$log")"
  done
  missing=("${refused[@]}")
  rm -f "$log"
}

# apt_install WHAT: installs all of `missing`, or stops.
apt_install() {
  apt_try "$1"
  [ ${#missing[@]} = 0 ] ||
    stop "Missing packages for $1: ${missing[*]}. Have root install them: apt-get install ${missing[*]}"
}

# link_checkout: the package card_arena and the command `arena` in the virtual environment.
link_checkout() {
  # The package is the checkout itself, whatever its folder is called: nothing to build or reinstall.
  "$venv/bin/python" - "$top" <<'PYTHON'
import pathlib, sys, sysconfig
top = sys.argv[1]
folder = pathlib.Path(sys.prefix) / "checkout"
folder.mkdir(exist_ok=True)
(folder / "card_arena").unlink(missing_ok=True)
(folder / "card_arena").symlink_to(top)
(pathlib.Path(sysconfig.get_path("purelib")) / "card_arena.pth").write_text(f"{folder}\n")
command = pathlib.Path(sysconfig.get_path("scripts")) / "arena"
command.write_text(f"""\
#!/bin/sh
'''exec' "{sys.executable}" "$0" "$@"  # which a path with a blank can't begin
' '''
if __name__ == "__main__":  # Processes that multiprocessing starts run this file too.
    try:
        from card_arena.arena import main

        main()
    except KeyboardInterrupt:  # before anything has begun
        raise SystemExit(130) from None
""")
command.chmod(0o755)
PYTHON
}

# missing_languages: each language that lacks a tool here, with its Debian packages. It needs no .venv.
missing_languages() {
  local path
  path=$(mktemp -d)
  ln -s "$top" "$path/card_arena"
  PYTHONPATH=$path python3 -m card_arena.sandbox.languages.registry
  rm -r "$path"
}

need_python() {
  command -v python3 >/dev/null || stop "Card Arena needs Python 3.11 or later."
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    stop "Card Arena needs Python 3.11 or later; this is $(python3 --version)."
}

# want_venv: what `make_venv` needs.
want_venv() {
  command -v uv >/dev/null || python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
}

# make_venv GROUP: a virtual environment with the locked packages of requirements/GROUP.txt.
make_venv() {
  local lock=requirements/$1.txt stamp=$venv/$1.stamp
  [ -f "$stamp" ] && cmp -s "$lock" "$stamp" && { link_checkout; return; }
  local missing=()
  need_python
  want_venv
  apt_install "the virtual environment"
  if command -v uv >/dev/null; then
    say "Setting up Python packages in .venv (uv)"
    [ -d "$venv" ] || uv venv -q --python python3 "$venv"
    uv pip install -q --python "$venv/bin/python" --require-hashes -r "$lock"
  else
    say "Setting up Python packages in .venv (about half a minute)"
    [ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
    # uv takes a third of pip's time. Where there is none for this machine, or it does not find the
    # packages where pip is told to look for them, pip does it alone.
    local pip=("$venv/bin/pip" install -q --disable-pip-version-check --require-hashes)
    { "${pip[@]}" --no-compile --only-binary :all: -r requirements/uv.txt &&
      "$venv/bin/uv" pip install -q --native-tls --python "$venv/bin/python" \
        --require-hashes -r "$lock"; } 2>/dev/null ||
      "${pip[@]}" --no-compile --use-pep517 -r "$lock"
  fi
  # In half of the time that uv takes for it. Some packages have files that don't compile.
  "$venv/bin/python" -m compileall -q -j 0 "$venv/lib" >/dev/null 2>&1 || true
  link_checkout
  cp "$lock" "$stamp"
}

allow_bubblewrap() {
  # Ubuntu 24.04 lets only programs with an AppArmor profile make user namespaces.
  local restricted=/proc/sys/kernel/apparmor_restrict_unprivileged_userns profile=/etc/apparmor.d/bwrap
  if [ "$(cat $restricted 2>/dev/null)" = 1 ] && [ ! -e $profile ]; then
    say "Allowing bubblewrap to make sandboxes, by an AppArmor profile: $profile"
    # A system's own profile takes from what bubblewrap starts the right to make sandboxes.
    if [ -e $profile-userns-restrict ]; then
      as_root apparmor_parser -R $profile-userns-restrict || true
      as_root ln -sf $profile-userns-restrict /etc/apparmor.d/disable/
    fi
    as_root sh -c "cat > $profile && apparmor_parser -r $profile" <<'PROFILE'
abi <abi/4.0>,
profile bwrap /usr/bin/bwrap flags=(unconfined) {
  userns,
}
PROFILE
  fi
}

want_c() {
  want gcc gcc
  [ -e /usr/include/stdio.h ] || missing+=(libc6-dev)
}

want_docker() {
  want dockerd docker.io
  want debootstrap debootstrap
}

# set_up GROUP: what playing needs. The compiler is for bots in C, which sit out without it.
set_up() {
  need_python
  want bwrap bubblewrap
  want_venv
  apt_install "the arena"
  allow_bubblewrap
  want_c
  apt_try "bots in C" &
  make_venv "$1"
  wait $!
}
