# Shared by the scripts in this folder: messages, and building a preset. To be sourced.
#
# Everything said here goes to standard error: standard output belongs to the program that a script runs in the end.

root=$(cd -P "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." >/dev/null && pwd)

# The scripts' own failures; no outcome of podsim itself has this code.
readonly kScriptFailed=125

say() { printf '%s\n' "${0##*/}: $*" >&2; }

die() {
  say "error: $*"
  exit "$kScriptFailed"
}

die_with_log() {  # MESSAGE LOG
  tail -n 20 "$2" | sed 's/^/  | /' >&2
  die "$1; the whole log is in $2"
}

# True when TARGET of PRESET has to be built: never built, built in another place, or a source is newer. A folder is newer
# when a file was added to it or taken away. The labs' exercises are no part of the program. No cmake here: this runs
# before every start of podsim.
is_stale() {  # PRESET TARGET SOURCES...
  local stamp="$root/build/$1/.$2-is-built" built_in=
  read -r built_in 2>/dev/null <"$stamp" || return 0
  [[ $built_in == "$root" ]] || return 0
  shift 2
  [[ -n $(cd "$root" && find CMakeLists.txt CMakePresets.json scripts/setup "$@" ! -path firmware/labs \
    ! -path 'firmware/labs/*.cpp' -newer "$stamp" -print -quit 2>&1) ]]
}

# Installs what is missing and builds TARGET of PRESET, one caller at a time.
build() {  # PRESET TARGET SOURCES...
  local preset=$1 target=$2 dir="$root/build/$1"
  mkdir -p "$dir" 2>/dev/null && [[ -w $dir ]] || die "cannot write to $dir"
  (
    if ! flock --nonblock 9; then
      say "waiting for another build in $dir"
      flock 9
    fi
    is_stale "$@" || exit 0  # the other one has done it

    local with=()
    if [[ $target == all ]]; then with=(--tests); fi
    "$root/scripts/setup" "${with[@]}" || exit

    # A build folder that was moved along with its clone still points to the old place.
    if [[ -f $dir/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
      find "$dir" -mindepth 1 -delete
    fi

    local log="$dir/build.log" started
    if [[ -f $dir/.$target-is-built ]]; then
      say "rebuilding what changed"
    else
      say "building (once, about $(estimated_minutes "${@:3}")) in $dir"
    fi
    # The stamp's time is that of the build's start, so that a source changed during the build counts as newer.
    started="$dir/.build-started"
    printf '%s\n' "$root" >"$started"
    { (cd "$root" && cmake --preset "$preset") && cmake --build "$dir" --target "$target" --parallel "$(nproc)"; } \
      </dev/null 2>&1 9>&- | tee "$log" | show_progress
    if ((PIPESTATUS[0] != 0)); then
      rm -f "$started"
      die_with_log "the build failed" "$log"
    fi
    if [[ $target == all ]]; then cp -p "$started" "$dir/.podsim-is-built"; fi
    mv "$started" "$dir/.$target-is-built"
  ) 9>>"$root/build/$preset.lock" || exit
}

estimated_minutes() {  # SOURCES...
  local files minutes
  files=$(cd "$root" && find "$@" -name '*.cpp' | wc -l)
  minutes=$(((files * 2 / $(nproc) + 59) / 60))  # about 2 s a file
  ((minutes == 1)) && echo "a minute" || echo "$minutes minutes"
}

# Shows a build's last line on a terminal, nothing elsewhere.
show_progress() {
  local line
  while IFS= read -r line; do
    if [[ -t 2 ]]; then printf '\r\033[K%.100s' "$line" >&2; fi
  done
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
}
