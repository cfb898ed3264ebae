#!/usr/bin/env bash
# The command line of the official Flink image, as far as Kubernetes uses it.
set -euo pipefail

# FLINK_PROPERTIES and the entrypoint's usual additions go into the configuration, unless it is mounted read-only.
configure() {
    local file=$FLINK_HOME/conf/config.yaml
    [[ -f $file ]] || file=$FLINK_HOME/conf/flink-conf.yaml
    if [[ -n ${FLINK_PROPERTIES:-} && -w ${file%/*} ]]; then
        echo "$FLINK_PROPERTIES" >>"$file"
    fi
}

# Plugins that lie in opt/, by the names of their jars.
enable_plugins() {
    local jar names
    IFS=';' read -ra names <<<"${ENABLE_BUILT_IN_PLUGINS:-}"
    for jar in "${names[@]}"; do
        mkdir -p "$FLINK_HOME/plugins/${jar%.jar}"
        ln -sf "$FLINK_HOME/opt/$jar" "$FLINK_HOME/plugins/${jar%.jar}/"
    done
}

configure
enable_plugins
command=${1:-help}
case $command in
    jobmanager) exec "$FLINK_HOME/bin/jobmanager.sh" start-foreground "${@:2}" ;;
    standalone-job) exec "$FLINK_HOME/bin/standalone-job.sh" start-foreground "${@:2}" ;;
    taskmanager) exec "$FLINK_HOME/bin/taskmanager.sh" start-foreground "${@:2}" ;;
    help) echo "usage: (jobmanager|standalone-job|taskmanager|COMMAND) [ARGUMENT...]" ;;
    *) exec "$@" ;;
esac
