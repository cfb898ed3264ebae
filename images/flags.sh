# shellcheck shell=bash
# How Java is started in the images, and with which jars. Sourced by images/build and images/Dockerfile.

# heap NAME: the most that one of the three keeps on its heap
heap() {
    case $1 in
        webhook) echo 96m ;;
        operator) echo 384m ;;
        autoscaler) echo 192m ;;
    esac
}

# flags NAME [FLAG]...: what Java is told in the image of that name, a line each. The compiler takes memory for a moment that the C library would
# keep for good. Jetty would start all of JMX only to ask how many references fit into a cache line of the processor.
flags() {
    printf '%s\n' "-Xmx$(heap "$1")" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError -XX:TrimNativeHeapInterval=5000 -Djdk.http.maxHeaderSize=65536 \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
        -Dorg.eclipse.jetty.util.referencesPerCacheLine=16 "${@:2}"
}

# own_flags NAME: what one of the three is told beside that. Webhook and operator do little, of many kinds: the optimising compiler
# would take the second core from their start and leave much memory in use. It is for what runs very often, and for TLS, which is
# ten times as dear without it (docs/adr/0025-delay-the-optimizing-compiler.md). The operator's heap grows only as it must, and gives back at once what a
# collection of all of it left free; what is young grows with what is old, as a start among thousands has many passes half done.
own_flags() {
    [[ $1 == autoscaler ]] || printf '%s\n' -XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000 \
        -XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000 -XX:CompileCommand=quiet \
        '-XX:CompileCommand=CompileThresholdScaling,com.sun.crypto.provider.*::*,0.1' \
        '-XX:CompileCommand=CompileThresholdScaling,sun.security.util.math.intpoly.*::*,0.1' \
        -XX:+UnlockDiagnosticVMOptions -XX:-AOTReplayTraining
    # What computes for long, as for a resource with thousands of options, keeps its carrier thread. As many as there are processors,
    # two of them would hold up all others (docs/adr/0067-more-carrier-threads-than-processors.md).
    [[ $1 == webhook ]] || echo -Djdk.virtualThreadScheduler.parallelism=8
    # What a review leaves behind should die young, and a body that waits for its turn must fit among the survivors. The heap grows beyond
    # 64 MiB while slow callers hold bodies: within 64 MiB, full collections then took 82 of 450 s. The only one the webhook has to trust is
    # the API server, whose authority it is given: reading all that the JDK trusts as well takes a tenth of its start.
    [[ $1 != webhook ]] || printf '%s\n' -Xms64m -Xmn20m -XX:SurvivorRatio=3 -Djavax.net.ssl.trustStore=NONE
    [[ $1 != operator ]] || printf '%s\n' -Xms48m -XX:NewSize=32m -XX:MaxNewSize=80m -XX:SurvivorRatio=3 -XX:MinHeapFreeRatio=15 -XX:MaxHeapFreeRatio=30 -XX:-ShrinkHeapInSteps
}

# class_path FOLDER PREFIX: every jar by name, in one order everywhere, as an AOT cache fits one class path only
class_path() { (cd "$1" && printf '%s\n' *.jar | LC_ALL=C sort | sed "s#^#$2#" | paste -sd:); }

# unsigned JDK CACHE FOLDER: takes the signatures off the jars in FOLDER; CACHE keeps the results. The classes of a signed jar are
# left out of an AOT cache, and checking its signatures takes a fifth of the webhook's start. What a jar is, the build has checked.
unsigned() {
    local jdk=$1 cache=$2 jar kept work
    mkdir -p "$cache"
    for jar in "$3"/*.jar; do
        grep -aqE 'META-INF/[A-Z0-9_-]+\.SF' "$jar" || continue # names are not compressed
        kept=$cache/$(sha256sum <"$jar" | cut -c1-16).jar
        if [[ ! -f $kept ]]; then
            work=$(mktemp -d "$cache/XXXX")
            (cd "$work" && "$jdk/bin/jar" --extract --file "$jar" && rm -f META-INF/*.{SF,RSA,DSA,EC})
            # What comes after the first blank line is a digest of each class.
            sed -i '/^\r*$/q' "$work/META-INF/MANIFEST.MF"
            "$jdk/bin/jar" --create --no-manifest --date=2000-01-01T00:00:00Z --file "$kept.part" -C "$work" .
            mv "$kept.part" "$kept"
            rm -rf "$work"
        fi
        cp "$kept" "$jar"
    done
}
