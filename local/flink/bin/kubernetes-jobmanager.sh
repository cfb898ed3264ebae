#!/usr/bin/env bash
# The JobManager of a native cluster: kubernetes-jobmanager.sh kubernetes-application|kubernetes-session [ARGUMENT...]
. "$(dirname -- "$0")/common.sh"
case ${1:-} in
    kubernetes-session) entrypoint=KubernetesSessionClusterEntrypoint ;;
    kubernetes-application) entrypoint=KubernetesApplicationClusterEntrypoint ;;
    *) echo "usage: kubernetes-jobmanager.sh kubernetes-session|kubernetes-application [ARGUMENT...]" >&2; exit 1 ;;
esac
name=$1
shift
jobmanager_memory "$@"
# shellcheck disable=SC2086 # dynamic properties are words
run_java "$name" jobmanager "$JVM" "org.apache.flink.kubernetes.entrypoint.$entrypoint" $DYNAMIC "$@"
