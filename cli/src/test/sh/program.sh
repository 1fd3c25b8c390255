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

expect version 0 '^penstock .* on Java' "$penstock" --version
expect 'no warnings' 0 silent silent "$penstock" --version
expect help 0 '^Usage: penstock' "$penstock" --help
expect 'unknown command' 2 "^penstock: .*'sing'" "$penstock" sing
expect 'no command' 2 '^penstock: no command given' "$penstock"
expect 'from elsewhere' 0 '^penstock ' sh -c "cd / && '$penstock' --version"

echo "end to end: $passed passed, $failed failed"
[ $failed -eq 0 ]
