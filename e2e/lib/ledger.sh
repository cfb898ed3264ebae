# What the job's own ledger tells: a line for each record, its number and the time, in a file for each start of a TaskManager.
# The node's disk is read, as there may be no pod that could.

# volume: the folder of the state volume, seen from this machine through the process that holds the node's namespaces
volume() {
    local holder
    read -r holder _ <"$(dirname "$KUBECONFIG")/holder"
    echo "/proc/$holder/root/var/lib/flink-state"
}

# ledger_lines: NUMBER TIME POD FILE, all of them by the time at which they were written
ledger_lines() {
    local file name
    for file in "$(volume)"/ledger/*; do
        name=$(basename "$file")
        awk -v pod="${name%%.*}" -v start="$name" 'NF == 2 {print $1, $2, pod, start}' "$file"
    done | sort -s -n -k2,2
}

# none_lost: fails unless each record from the first to the last one was written, by whichever half
none_lost() {
    local missing
    missing=$(ledger_lines | awk '{seen[$1] = 1; if ($1 > last) last = $1} END {for (n = 0; n <= last; n++) if (!(n in seen)) {print n; if (++shown == 5) exit}}')
    [ -z "$missing" ] || fail "records were lost: $(xargs <<<"$missing") ..."
}

# none_twice FROM: fails if a record that was written after FROM, milliseconds since the epoch, was written before as well
none_twice() {
    local twice
    twice=$(ledger_lines | awk -v from="$1" '($1 in seen) && $2 >= from && shown++ < 5 {print $1 " by " seen[$1] " and " $4} {seen[$1] = $4}')
    [ -z "$twice" ] || fail "records were processed twice: $twice"
}

# last_of HALF [UNTIL]: the highest number that its pods have written until then; first_of HALF FROM: the first one since
last_of() { ledger_lines | awk -v pod="$1-" -v until="${2:-9999999999999}" 'index($3, pod) == 1 && $2 <= until && $1 + 0 >= last {last = $1; found = 1} END {if (found) print last}'; }
first_of() { ledger_lines | awk -v pod="$1-" -v from="$2" 'index($3, pod) == 1 && $2 >= from && !found++ {print $1}'; }

# longest_gap FROM UNTIL: the milliseconds that passed at most between two records, whoever wrote them
longest_gap() {
    ledger_lines | awk -v from="$1" -v until="$2" '$2 <= until {if ($2 >= from && last && $2 - last > gap) gap = $2 - last; last = $2}
        END {print gap + 0}'
}

# with_ledger IMAGE RATE FILE: an example whose job makes so many records a second, and writes each into the ledger
with_ledger() {
    sed -e "s#^\( *image:\).*#\1 $1#" \
        -e "s#^\( *\)entryClass:.*#&\n\1args: [--schedule, '0s:$2', --capacity, '5000', --ledger, /state/ledger]#" "$3"
}
