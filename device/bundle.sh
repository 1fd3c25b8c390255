#!/bin/sh
# Packs the device suite: a Java runtime, all modules with their tests, the test runner and the peers' sources, into one folder and
# one archive. The machine with the devices then needs no JDK, no Maven and no network.
#
#   device/bundle.sh [FOLDER]     writes FOLDER (target/device-suite) and FOLDER.tar.gz
#
# There: tar xzf device-suite.tar.gz && device-suite/run-suite.sh [RESULTS]
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
suite=${1:-$home/target/device-suite}
junit=$(sed -n 's/.*<junit.version>\(.*\)<.*/\1/p' "$home/pom.xml")
java_home=${JAVA_HOME:?set JAVA_HOME to a JDK 25}
modules=java.base,java.compiler,java.desktop,java.instrument,java.logging,java.management,java.net.http,java.sql,java.xml
modules=$modules,jdk.compiler,jdk.incubator.vector,jdk.jfr,jdk.management,jdk.unsupported,jdk.zipfs

rm -rf "$suite" "$suite.tar.gz"
mkdir -p "$suite/lib" "$suite/classes" "$suite/tests"
cd "$home"
mvn ${MAVEN_ARGS:--B -q} test-compile dependency:copy-dependencies -DexcludeGroupIds=io.penstock -DincludeScope=test \
    -DoutputDirectory="$suite/lib"
mvn ${MAVEN_ARGS:--B -q} -N dependency:copy -Dartifact=org.junit.platform:junit-platform-console-standalone:"$junit" \
    -DoutputDirectory="$suite"
# The runner brings the test engine along; a second one would find every test twice. What is large and not needed there stays.
for jar in junit- opentest4j- apiguardian- jmh-generator- byte-buddy- archunit-; do rm -f "$suite/lib/$jar"*; done
for pom in */pom.xml; do
    module=$(dirname "$pom")
    [ ! -d "$module/target/classes" ] || cp -r "$module/target/classes" "$suite/classes/$module"
    [ ! -d "$module/target/test-classes" ] || cp -r "$module/target/test-classes" "$suite/tests/$module"
done
find "$suite/tests" -name LayersTest.class -delete # it reads the sources' classes with archunit
cp device/run-suite.sh device/peers.cu "$suite/"
chmod +x "$suite/run-suite.sh"
# The runtime is packed once and kept: that takes longest, and it changes only with the JDK.
packed=$home/target/device-jre-$("$java_home/bin/java" -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p').tar.xz
if [ ! -f "$packed" ]; then
    "$java_home/bin/jlink" --add-modules $modules --strip-debug --no-header-files --no-man-pages --compress zip-0 \
        --output "$suite/jre" 2>/dev/null
    tar -C "$suite" -cf - jre | xz -4 -T0 >"$packed.part"
    mv "$packed.part" "$packed"
    rm -rf "$suite/jre"
fi
cp "$packed" "$suite/jre.tar.xz"
tar -C "$(dirname "$suite")" -czf "$suite.tar.gz" "$(basename "$suite")"
size=$(wc -c <"$suite.tar.gz")
echo "$suite.tar.gz: $((size / 1048576)) MiB"
[ "$size" -lt 57671680 ] || { echo "that is more than the 55 MiB that may travel" >&2; exit 1; }
