# shellcheck shell=bash disable=SC2034 # read by the scripts that source this
# Everything that is pinned. The versions of Kubernetes and Helm are also in kube/go.mod, that of CoreDNS only there.
#
# Kubernetes stays below 1.35 as long as machines with cgroup v1 are to be served, and containerd as Debian has it.
KUBERNETES_VERSION=1.34.4
HELM_VERSION=3.18.6
DEBIAN_SUITE=bookworm
FLINK_1_20=1.20.5
FLINK_2_3=2.3.0
