#!/bin/sh
# Sluice's command line, version @VERSION@, with the Java that it needs.
set -eu
self=$(readlink -f -- "$0")
home=${self%/bin/sluice}
# The archive of classes fits these jars and this Java. Where it can't be used, Java says nothing and starts more slowly. SLUICE_CLASSES is for
# release/make, which makes the archive.
exec "$home/runtime/bin/java" "${SLUICE_CLASSES:--XX:SharedArchiveFile=$home/sluice.jsa}" -Xlog:disable -Xlog:all=error:stderr -XX:+UseSerialGC \
    -XX:TieredStopAtLevel=1 -Dsluice.version=@VERSION@ -Dsluice.chart=@CHART@ -Dslf4j.internal.verbosity=ERROR -cp "@CLASS_PATH@" io.sluice.cli.Main "$@"
