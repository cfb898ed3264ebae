# shellcheck shell=bash
# The programs that a release needs beside those of local/toolbox, each built once from its published Go module. Sourced after
# local/lib/common.sh.
. "$LOCAL/lib/tools.sh"

RELEASE=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

# release_tools: prints a folder with crane, and with layout, which writes OCI image layouts
release_tools() { cached release-tools "$(digest "$RELEASE/tools" "$RELEASE/build-tools")" 2 "$RELEASE/build-tools" tools; }

# cosign_folder: prints a folder with cosign. It takes minutes to build, so it is built for those only who sign.
cosign_folder() { cached cosign "$(digest "$RELEASE/cosign" "$RELEASE/build-tools")" 5 "$RELEASE/build-tools" cosign; }
