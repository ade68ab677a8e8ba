# Shared by ./contexture, bench/run and .ci/run: finds a JDK, and builds without the gates.
# For bash 3.2 or newer, under `set -euo pipefail`. Read with `source`; prints only to standard error.

readonly NEEDED_JAVA=21
readonly MVN="${CONTEXTURE_MVN:-mvn}"

say() { printf 'contexture: %s\n' "$*" >&2; }

# Prints where a chain of symbolic links ends.
resolve_links() {
  local path="$1" target
  while [[ -L "$path" ]]; do
    target="$(readlink "$path")"
    [[ "$target" == /* ]] || target="$(dirname "$path")/$target"
    path="$target"
  done
  printf '%s\n' "$path"
}

# Sets VERSION_FOUND and MAJOR_FOUND of the Java in a folder; fails if there is none.
read_java_version() {
  local home="$1" line
  VERSION_FOUND=""
  [[ -x "$home/bin/java" ]] || return 1
  if [[ -r "$home/release" ]]; then
    while IFS= read -r line; do
      [[ "$line" == JAVA_VERSION=* ]] && VERSION_FOUND="${line#JAVA_VERSION=}"
    done < "$home/release"
  else # no release file: ask it, which costs the start of a JVM
    line="$("$home/bin/java" -version 2>&1 | grep -m 1 ' version ' || true)"
    VERSION_FOUND="${line#* version }"
    VERSION_FOUND="${VERSION_FOUND%% *}"
  fi
  VERSION_FOUND="${VERSION_FOUND//[\"$'\r']/}"
  MAJOR_FOUND="${VERSION_FOUND#1.}"
  MAJOR_FOUND="${MAJOR_FOUND%%[!0-9]*}"
  [[ -n "$MAJOR_FOUND" ]]
}

# Succeeds if a folder holds a JDK that fits; notes in SEEN_JAVAS what it saw.
fits() {
  local home="$1"
  read_java_version "$home" || return 1
  if (( MAJOR_FOUND < NEEDED_JAVA )); then
    SEEN_JAVAS="$SEEN_JAVAS"$'\n'"  $home: Java $VERSION_FOUND, too old"
  elif [[ ! -x "$home/bin/javac" ]]; then
    SEEN_JAVAS="$SEEN_JAVAS"$'\n'"  $home: Java $VERSION_FOUND, no compiler (a JRE)"
  else
    return 0
  fi
  return 1
}

# Sets JDK to the home of a JDK that fits, and JDK_VERSION; ends the program if there is none.
find_jdk() {
  local home on_path=""
  SEEN_JAVAS=""
  if [[ -n "${CONTEXTURE_JAVA_HOME:-}" ]]; then
    fits "$CONTEXTURE_JAVA_HOME" || no_jdk "CONTEXTURE_JAVA_HOME=$CONTEXTURE_JAVA_HOME is no JDK $NEEDED_JAVA or newer." \
      "Set it to the folder of one, or unset it to have the usual places searched."
    JDK="$CONTEXTURE_JAVA_HOME" JDK_VERSION="$VERSION_FOUND"
    return
  fi
  if command -v java > /dev/null; then
    on_path="$(dirname "$(dirname "$(resolve_links "$(command -v java)")")")"
  fi
  for home in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* "${HOME:-/nonexistent}"/.sdkman/candidates/java/* \
    "${HOME:-/nonexistent}"/.jdks/* /opt/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [[ -n "$home" ]] && fits "$home"; then
      JDK="$home" JDK_VERSION="$VERSION_FOUND"
      return
    fi
  done
  no_jdk "no JDK $NEEDED_JAVA or newer was found." \
    "Install one (Debian, Ubuntu: openjdk-$NEEDED_JAVA-jdk; SDKMAN: sdk install java), or set CONTEXTURE_JAVA_HOME to its folder."
}

no_jdk() {
  say "$1"
  printf 'Found:%s\n%s\n' "${SEEN_JAVAS:- none}" "$2" >&2
  exit 1
}

# Succeeds if what the module's last quick build made is newer than all sources that go into it.
is_fresh() {
  local root="$1" module="$2" artifact="$3" dir newer
  local stamp="$root/$module/target/quick/launch.stamp"
  [[ -f "$artifact" && -f "$stamp" ]] || return 1
  local sources=("$root/pom.xml")
  for dir in "$root"/*/; do
    dir="${dir%/}"
    [[ -f "$dir/pom.xml" ]] || continue
    [[ "$dir" != "$root/bench" || "$module" == bench ]] || continue
    [[ "$dir" != "$root/embedder-local" || "$module" == embedder-local ]] || continue
    sources+=("$dir/pom.xml")
    # Folders count too: removing a file changes only the time of its folder.
    [[ ! -d "$dir/src/main" ]] || sources+=("$dir/src/main")
  done
  newer="$(find "${sources[@]}" -newer "$stamp" -print -quit)"
  [[ -z "$newer" ]]
}

# Builds a module and what it needs without the gates, if that is due. One at a time: a second
# launcher waits for the first and then finds its work done.
#   quick_build ROOT MODULE ARTIFACT
quick_build() {
  is_fresh "$@" || with_lock "$1" build_if_stale "$@"
}

build_if_stale() {
  local root="$1" module="$2" artifact="$3"
  local out="$root/$module/target/quick"
  ! is_fresh "$@" || return 0
  command -v "$MVN" > /dev/null || {
    say "Maven is needed for the build and '$MVN' is not on the PATH; install it, or set CONTEXTURE_MVN."
    exit 1
  }
  say "building (first use, or sources are newer) ..."
  mkdir -p "$out"
  touch "$out/launch.stamp.new" # before the build: what changes meanwhile is built next time
  rm -f "$out/launch.stamp" "$out"/*.jsa
  (
    cd "$root"
    JAVA_HOME="$JDK" "$MVN" -q -B -ntp -Dquick -Dcontexture.target=target/quick -Dmaven.test.skip=true \
      -pl "$module" -am package
  ) > "$out/build.log" 2>&1 < /dev/null || {
    cat "$out/build.log" >&2
    say "the build failed; Maven's output is above."
    exit 1
  }
  [[ -f "$artifact" ]] || { say "the build made no $artifact"; exit 1; }
  mv "$out/launch.stamp.new" "$out/launch.stamp"
}

# Runs a function while holding the lock of the quick builds.
with_lock() {
  local lock="$1/target/quick.lock"
  shift
  mkdir -p "$(dirname "$lock")"
  if command -v flock > /dev/null; then
    ( flock 9; "$@" 9>&- ) 9> "$lock"
  else # without flock: a folder, with the owner's process id so that a dead owner does not block
    until mkdir "$lock.d" 2> /dev/null; do
      kill -0 "$(cat "$lock.d/pid" 2> /dev/null || echo $$)" 2> /dev/null || rm -rf "$lock.d"
      sleep 0.2
    done
    echo $$ > "$lock.d/pid"
    local status=0
    ( "$@" ) || status=$?
    rm -rf "$lock.d"
    return "$status"
  fi
}

# Sets LOCAL_EMBEDDER to the class path of the models that run in the process, if the arguments, the environment or the
# file of settings that they name ask for one; else to nothing. They are fetched and built at their first use.
#   find_local_embedder ROOT ARGUMENT...
find_local_embedder() {
  local root="$1" asked="${CONTEXTURE_EMBEDDER:-}" settings="${CONTEXTURE_CONFIG:-}" given="" before="" argument
  shift
  for argument in "$@"; do
    case "$argument" in
      --embedder=*) given="${argument#*=}" ;;
      --config=*) settings="${argument#*=}" ;;
      *) case "$before" in --embedder) given="$argument" ;; --config) settings="$argument" ;; esac ;;
    esac
    before="$argument"
  done
  if [[ -z "$asked" && -f "$settings" ]]; then
    asked="$(sed -n 's/^[[:space:]]*embedder[[:space:]]*=[[:space:]]*//p' "$settings" | head -n 1)"
  fi
  LOCAL_EMBEDDER=""
  [[ "${given:-$asked}" =~ ^local(=.*)?$ ]] || return 0
  local classpath="$root/embedder-local/target/quick/classpath.txt"
  quick_build "$root" embedder-local "$classpath"
  LOCAL_EMBEDDER="$root/embedder-local/target/quick/classes:$(< "$classpath")"
}
