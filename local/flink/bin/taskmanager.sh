#!/usr/bin/env bash
# The TaskManager of a standalone cluster: taskmanager.sh start-foreground [ARGUMENT...]
. "$(dirname -- "$0")/common.sh"
[[ ${1:-} == start-foreground ]] || { echo "usage: taskmanager.sh start-foreground [ARGUMENT...]" >&2; exit 1; }
shift
result=$(utils GET_TM_RESOURCE_PARAMS "$@")
# shellcheck disable=SC2046 # dynamic properties are words
run_java taskexecutor taskmanager "$(sed -n 1p <<<"$result")" \
    org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$FLINK_CONF_DIR" \
    $(sed -n 2p <<<"$result") "$@"
