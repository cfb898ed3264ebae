# shellcheck shell=bash
# How Java is started in the images. Sourced by images/build and images/Dockerfile.

# flags HEAP [FLAG]...: what Java is told in the images, a line each. The compiler takes memory for a moment that the C library would
# keep for good.
flags() {
    printf '%s\n' "-Xmx$1" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError -XX:TrimNativeHeapInterval=5000 \
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow "${@:2}"
}

# class_path FOLDER PREFIX: every jar by name, in one order everywhere, as an AOT cache fits one class path only
class_path() { (cd "$1" && printf '%s\n' *.jar | LC_ALL=C sort | sed "s#^#$2#" | paste -sd:); }
