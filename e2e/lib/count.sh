# What a job has counted, in its state, and what it was restored from: of $name in $namespace.

checkpoints() { rest "/jobs/$(job_id)/checkpoints"; }
restored_from() { # what Flink has restored the job from; nothing if it has restored nothing
    local from
    from=$(checkpoints | jq -r '.latest.restored.external_path // ""')
    # Flink answers from a copy that is up to 3 s old: that of a job which has just come up may be of the time before it was restored.
    [ -n "$from" ] || { sleep 4; from=$(checkpoints | jq -r '.latest.restored.external_path // ""'); }
    echo "$from"
}
restored_id() { checkpoints | jq -r '.latest.restored.id // 0'; }
last_checkpoint() { checkpoints | jq -r '.latest.completed.id // 0'; }
checkpointed() { [ "$(last_checkpoint)" -gt "$(restored_id)" ]; }
counted() { # by all subtasks of `work`, as their state has it, and what was lost or counted twice; fails while Flink has not gathered it
    local id vertex
    id=$(job_id)
    vertex=$(rest "/jobs/$id" | jq -r '.vertices[] | select(.name | startswith("work")) | .id')
    read -r count deviation < <(rest "/jobs/$id/vertices/$vertex/subtasks/metrics?get=work.processed,work.deviation&agg=sum" \
        | jq -r 'map({(.id): (.sum | floor)}) | add | "\(.["work.processed"] // "") \(.["work.deviation"] // "")"')
    [ -n "$deviation" ]
}
exactly_once() { # no record was lost, none counted twice, since the job first began
    within 90 "the count to pass $1" caught_up "$1"
    [ "$deviation" = 0 ] || fail "of the records so far $deviation were lost (below zero: counted twice)"
    seen "restored from $(restored_from) (checkpoint $(restored_id)); it had counted $1 and is at $count; none lost, none counted twice"
}
caught_up() { counted && [ "$count" -ge "$1" ]; }
