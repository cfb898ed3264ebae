#!/usr/bin/env bash
# The JobManager of a standalone session cluster: jobmanager.sh start-foreground [ARGUMENT...]
. "$(dirname -- "$0")/common.sh"
[[ ${1:-} == start-foreground ]] || { echo "usage: jobmanager.sh start-foreground [ARGUMENT...]" >&2; exit 1; }
shift
jobmanager_memory "$@"
# shellcheck disable=SC2086 # dynamic properties are words
run_java standalonesession jobmanager "$JVM" \
    org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$FLINK_CONF_DIR" \
    --executionMode cluster "$@" $DYNAMIC
