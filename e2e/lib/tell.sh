# How a run speaks: numbered steps with elapsed time, what was asked, what was seen. Sourced by every scenario.

started=$SECONDS
step_number=0
passed=0
current_step=""

bold=""; dim=""; green=""; red=""; plain=""
if [ -t 1 ]; then bold=$'\e[1m'; dim=$'\e[2m'; green=$'\e[32m'; red=$'\e[31m'; plain=$'\e[0m'; fi

elapsed() { printf '%d:%02d' $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60)); }

step() { # step TITLE: ends the step before it well and begins the next
    step_passed
    step_number=$((step_number + 1))
    current_step=$1
    printf '\n%s[%s] %d. %s%s\n' "$bold" "$(elapsed)" "$step_number" "$1" "$plain"
}

step_passed() {
    [ -n "$current_step" ] || return 0
    passed=$((passed + 1))
    current_step=""
}

say() { printf '      %s\n' "$*"; }
seen() { printf '%s      ✓ %s%s\n' "$green" "$*" "$plain"; }

show() { # show COMMAND…: what was asked and what was seen, as a person at the terminal would have it
    printf '%s      $ %s%s\n' "$dim" "$(typed "$@" | sed "s#$root/##g")" "$plain"
    "$@" 2>&1 | sed 's/^/      /' || return "${PIPESTATUS[0]}"
}

typed() { # typed COMMAND…: as it has to be typed
    local word line="" special="[^][A-Za-z0-9_./:=@,%+-]"
    for word; do
        [[ -n $word && ! $word =~ $special ]] || word="'${word//\'/\'\\\'\'}'"
        line+="${line:+ }$word"
    done
    echo "$line"
}

fail() { # fail WHAT: the step did not happen
    printf '\n%s      ✗ %s%s\n' "$red" "$*" "$plain" >&2
    exit 1
}

# within SECONDS WHAT PREDICATE…: waits until the predicate holds; meanwhile prints what `progress` says whenever it changes,
# and a line at least every ten seconds.
within() {
    local limit=$1 what=$2 began=$SECONDS deadline=$((SECONDS + $1)) last="" now printed=$SECONDS
    shift 2
    until "$@"; do
        [ $SECONDS -lt $deadline ] || { on_timeout; fail "$what: not within ${limit}s"; }
        now=$(progress 2>/dev/null || true)
        if [ -n "${now// /}" ] && [ "$now" != "$last" ]; then
            printf '%s      [%s] %s%s\n' "$dim" "$(elapsed)" "$now" "$plain"
            last=$now printed=$SECONDS
        elif [ $((SECONDS - printed)) -ge 9 ]; then
            printf '%s      [%s] … %d s, waiting for: %s%s\n' "$dim" "$(elapsed)" $((SECONDS - began)) "$what" "$plain"
            printed=$SECONDS
        fi
        sleep 1
    done
}
progress() { :; }
on_timeout() { :; }

finish() { # to be called last: closes the count
    step_passed
    printf '\n%s passed, 0 failed\n' "$passed"
}
