# shellcheck shell=bash
# How Java is started in the images. Sourced by images/build and images/Dockerfile.

# flags HEAP [FLAG]...: what Java is told in the images, a line each. The compiler takes memory for a moment that the C library would
# keep for good.
flags() {
    printf '%s\n' "-Xmx$1" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError -XX:TrimNativeHeapInterval=5000 \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow "${@:2}"
}

# operator_flags: what the operator is told beside that. It does little, of many kinds, and much of it once: a heap that grows
# only as it must and the faster of the two compilers make it smaller, and leave more processor time for the work itself.
operator_flags() { printf '%s\n' -Xms24m -XX:MinHeapFreeRatio=15 -XX:MaxHeapFreeRatio=30 -XX:TieredStopAtLevel=1; }

# class_path FOLDER PREFIX: every jar by name, in one order everywhere, as an AOT cache fits one class path only
class_path() { (cd "$1" && printf '%s\n' *.jar | LC_ALL=C sort | sed "s#^#$2#" | paste -sd:); }
