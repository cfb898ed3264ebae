# What Flink itself tells of a LoadJob, $name in $namespace: how it is sized and what waits.

running_job() { rest /jobs/overview | jq -r 'first(.jobs[] | select(.state == "RUNNING") | .jid) // empty'; }
vertices() { rest "/jobs/$(running_job)" | jq -r '.vertices[] | "\(.id) \(.parallelism) \(.name)"'; }
parallelism() { # parallelism [VERTEX]: of `work` unless told otherwise
    vertices | awk -v vertex=" ${1:-work}" 'index($0, vertex) {print $2}'
}
pending() { # records that wait
    local job source metric
    job=$(running_job)
    source=$(vertices | awk '/ Source: / {print $1}')
    metric=$(rest "/jobs/$job/vertices/$source/subtasks/metrics" | jq -r 'first(.[].id | select(endswith("pendingRecords")))')
    rest "/jobs/$job/vertices/$source/subtasks/metrics?get=$metric&agg=sum" | jq -r '.[0].sum // empty | floor'
}
received() { # received VERTEX: records that it has read since its job was started
    rest "/jobs/$(running_job)" | jq --arg vertex "$1" '.vertices[] | select(.name | startswith($vertex)) | .metrics."read-records"'
}

# sizes_recorded FILE: what is seen from now on, each second, a line each: SECOND JOB/VERTEX=PARALLELISM/... WAITING
sizes_recorded() {
    while sleep 1; do
        echo "$SECONDS $(size) $(pending)" >>"$1"
    done 2>/dev/null &
    recorder=$!
}
recorder=""
size() {
    local job
    job=$(running_job)
    rest "/jobs/$job" | jq -r '[.jid[:8], (.vertices[] | "\(.name | ltrimstr("Source: ") | split(" ")[0])=\(.parallelism)")] | join("/")'
}
recording_ended() { [ -z "$recorder" ] || kill "$recorder" 2>/dev/null || true; recorder=""; }
rescales() { awk 'NF == 3 && $2 != size {if (size != "") number++; size = $2} END {print number + 0}' "$1"; }
path() { awk 'NF == 3 && $2 != size {size = $2; print size}' "$1" | tr '\n' ' '; }
turns() { # turns FILE VERTEX: how often it was scaled in another direction than the time before
    sed -n "s#.*/$2=\([0-9]*\).*#\1#p" "$1" | uniq \
        | awk 'NR > 1 {now = $1 > last; if (NR > 2 && now != before) number++; before = now} {last = $1} END {print number + 0}'
}
most_pending() { awk 'NF == 3 && $3 > most {most = $3} END {print most + 0}' "$1"; }
most_subtasks() { # most_subtasks FILE VERTEX
    sed -n "s#.*/$2=\([0-9]*\).*#\1#p" "$1" | sort -n | tail -n 1
}
