#!/usr/bin/env bash
# The TaskManager of a native cluster. Flink's JobManager computes its memory and passes it in the environment.
. "$(dirname -- "$0")/common.sh"
run_java kubernetes-taskmanager taskmanager "${FLINK_TM_JVM_MEM_OPTS:-}" \
    org.apache.flink.kubernetes.taskmanager.KubernetesTaskExecutorRunner --configDir "$FLINK_CONF_DIR" "$@"
