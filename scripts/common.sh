# What the scripts share: where things are, and how to install what is missing. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
top=$PWD
venv=$top/.venv

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

# apt_install WHY PACKAGE...: says what it will do, then does it; needs root or sudo.
apt_install() {
  local why=$1
  shift
  command -v apt-get >/dev/null || stop "$why needs the packages $*: please install them."
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    stop "For $why this needs packages that only root can install: have root run apt-get install $*"
  say "Installing with apt, for $why: $*"
  local log
  log=$(mktemp)
  if ! { as_root apt-get update -q && as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends "$@"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    stop "apt could not install $*; the full output is in $log"
  fi
  rm -f "$log"
}

# link_checkout: the command `arena` in the virtual environment.
link_checkout() {
  # The checkout itself is on the path as it stands: no build, nothing to reinstall after a change.
  "$venv/bin/python" - "$top" <<'PYTHON'
import pathlib, sys, sysconfig
top = sys.argv[1]
(pathlib.Path(sysconfig.get_path("purelib")) / "card_arena.pth").write_text(top + "\n")
command = pathlib.Path(sysconfig.get_path("scripts")) / "arena"
command.write_text(f"""\
#!{sys.executable}
if __name__ == "__main__":  # Processes that multiprocessing starts run this file too.
    try:
        from arena import main

        main()
    except KeyboardInterrupt:  # before anything has begun
        raise SystemExit(130) from None
""")
command.chmod(0o755)
PYTHON
}

# make_venv GROUP: a virtual environment with the locked packages of requirements/GROUP.txt.
make_venv() {
  local lock=requirements/$1.txt stamp=$venv/$1.stamp
  [ -f "$stamp" ] && cmp -s "$lock" "$stamp" && return
  command -v python3 >/dev/null || stop "Card Arena needs Python 3.11 or later."
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    stop "Card Arena needs Python 3.11 or later; this is $(python3 --version)."
  if command -v uv >/dev/null; then
    say "Setting up Python packages in .venv (uv)"
    [ -d "$venv" ] || uv venv -q --python python3 "$venv"
    uv pip install -q --compile-bytecode --python "$venv/bin/python" --require-hashes -r "$lock"
  else
    python3 -c 'import ensurepip' 2>/dev/null || apt_install "the virtual environment" python3-venv
    say "Setting up Python packages in .venv (about half a minute)"
    [ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
    # uv takes a third of pip's time. Where there is none for this machine, or it does not find the
    # packages where pip is told to look for them, pip does it alone.
    local pip=("$venv/bin/pip" install -q --disable-pip-version-check --require-hashes)
    { "${pip[@]}" --only-binary :all: -r requirements/uv.txt &&
      "$venv/bin/uv" pip install -q --native-tls --compile-bytecode \
        --python "$venv/bin/python" --require-hashes -r "$lock"; } 2>/dev/null ||
      "${pip[@]}" --use-pep517 -r "$lock"
  fi
  link_checkout
  cp "$lock" "$stamp"
}

need_bubblewrap() {
  command -v bwrap >/dev/null || apt_install "the sandbox" bubblewrap
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

need_docker() {
  local missing=()
  command -v dockerd >/dev/null || missing+=(docker.io)
  command -v debootstrap >/dev/null || missing+=(debootstrap)
  [ ${#missing[@]} = 0 ] || apt_install "sandboxes that Docker makes" "${missing[@]}"
  # Newer systems have the command in a package of its own.
  command -v docker >/dev/null || apt_install "sandboxes that Docker makes" docker-cli
}
