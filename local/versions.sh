# shellcheck shell=bash disable=SC2034 # read by the scripts that source this
# Everything that is pinned. The versions of Kubernetes and Helm are also in kube/go.mod, that of CoreDNS only there.
#
# Kubernetes stays below 1.35 as long as machines with cgroup v1 are to be served, and containerd as Debian has it.
KUBERNETES_VERSION=1.34.4
HELM_VERSION=3.18.6
DEBIAN_SUITE=bookworm
# The first suite with OpenJDK 25, for images of another architecture.
DEBIAN_JDK_SUITE=trixie
FLINK_1_20=1.20.5
FLINK_2_3=2.3.0
S3PROXY=2.6.0
# Debian's Python, and what pyflink needs of others.
DEBIAN_PYTHON=3.11
PYTHON_PACKAGES=(py4j==0.10.9.7 python-dateutil==2.9.0 six==1.17.0 cloudpickle==3.1.1 pytz==2025.2 ruamel.yaml==0.18.10)
