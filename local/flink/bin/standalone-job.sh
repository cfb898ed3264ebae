#!/usr/bin/env bash
# The JobManager of a standalone application: standalone-job.sh start-foreground [--job-classname CLASS] [ARGUMENT...]
. "$(dirname -- "$0")/common.sh"
[[ ${1:-} == start-foreground ]] || { echo "usage: standalone-job.sh start-foreground [ARGUMENT...]" >&2; exit 1; }
shift
jobmanager_memory "$@"
# The job's own arguments come last, so ours go first.
# shellcheck disable=SC2086 # dynamic properties are words
run_java standalonejob jobmanager "$JVM" \
    org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint --configDir "$FLINK_CONF_DIR" \
    $DYNAMIC "$@"
