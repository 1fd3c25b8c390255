#!/bin/sh
# The program as a user starts it, end to end: program.sh PATH_OF_PENSTOCK
set -u
penstock=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# expect NAME STATUS PATTERN COMMAND...: the exit status, and a line that matches in what the command prints.
expect() {
    name=$1 status=$2 pattern=$3
    shift 3
    "$@" >"$work/output" 2>&1
    got=$?
    if [ $got -eq "$status" ] && grep -Eq -- "$pattern" "$work/output"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name: exit status $got; expected $status and a line like '$pattern' in:"
        head -n 20 "$work/output"
    fi
}

silent() { # nothing on standard error, such as a warning of the JVM
    "$@" 2>"$work/error" >/dev/null
    [ ! -s "$work/error" ] && echo silent
}

# The model errors of two summaries, to six digits.
cmp_close() {
    digits='s/.*"relativeModelError" : \([0-9]\.[0-9]\{6\}\).*/\1/p'
    [ -n "$(sed -n "$digits" "$1")" ] && [ "$(sed -n "$digits" "$1")" = "$(sed -n "$digits" "$2")" ] && echo same
}

expect version 0 '^penstock .* on Java' "$penstock" --version
expect 'no warnings' 0 silent silent "$penstock" --version
expect help 0 '^Usage: penstock' "$penstock" --help
expect 'unknown command' 2 "^penstock: .*'sing'" "$penstock" sing
expect 'no command' 2 '^penstock: no command given' "$penstock"
expect 'from elsewhere' 0 '^penstock ' sh -c "cd / && '$penstock' --version"
expect doctor 0 '^  \+ jvm' "$penstock" doctor
expect 'doctor as JSON' 0 '"findings"' "$penstock" doctor --json

job() {
    "$penstock" poststack --samples 80 --traces 60 --iterations 10 "$@"
}
expect 'a small job' 0 '^cgls: 10 of 10' job --out "$work/one"
expect 'its model error' 0 '"relativeModelError"' cat "$work/one/summary.json"
expect 'its pictures' 0 'PNG' head -c 8 "$work/one/sections.png"
expect 'its curves' 0 'PNG' head -c 8 "$work/one/convergence.png"
expect 'on three ranks' 0 '^cgls: 10 of 10' job --ranks 3 --out "$work/three"
expect 'the same inversion' 0 same cmp_close "$work/one/summary.json" "$work/three/summary.json"
expect 'a wrong option' 2 '^penstock: ' "$penstock" poststack --iterations many
expect 'a missing file' 1 '^penstock: .*/nowhere.npz' "$penstock" poststack --data /nowhere.npz --out "$work/none"

oracle=$(dirname "$penstock")/../shared/oracle
if [ -r "$oracle/index.json" ]; then
    expect 'recorded cases' 0 '^[1-9][0-9]* passed, 0 failed, [0-9]+ not covered$' "$penstock" verify "$oracle" --only 'FirstDerivative|cg' --ranks 2
fi

echo "end to end: $passed passed, $failed failed"
[ $failed -eq 0 ]
