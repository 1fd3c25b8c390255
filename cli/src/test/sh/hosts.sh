#!/bin/sh
# Two hosts on one machine, two ranks on each: network namespaces with names of their own, joined by a cable that can be cut.
#
#   hosts.sh PATH_OF_PENSTOCK
#
# Skips itself, and says why, where it may make no namespaces.
set -u
penstock=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
skip() {
    echo "two hosts: skipped: $1"
    exit 0
}
[ "$(uname -s)" = Linux ] || skip "namespaces are Linux's"
[ "$(id -u)" = 0 ] || skip "only root may make network namespaces"
command -v ip >/dev/null 2>&1 || skip "there is no ip (Debian's iproute2)"

id=$$
one=penstock-a-$id two=penstock-b-$id
cable_one=pa$id cable_two=pb$id
work=$(mktemp -d)
clean() {
    ip netns del "$one" 2>/dev/null
    ip netns del "$two" 2>/dev/null
    rm -rf "$work" "/etc/netns/$one" "/etc/netns/$two"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

ip netns add "$one" 2>/dev/null || skip "this system makes no network namespaces"
ip netns add "$two" && ip link add "$cable_one" type veth peer name "$cable_two" 2>/dev/null ||
    skip "this system joins no namespaces (no veth)"
ip link set "$cable_one" netns "$one"
ip link set "$cable_two" netns "$two"
plug() { # plug NAMESPACE CABLE ADDRESS
    ip -n "$1" addr add "$3/24" dev "$2"
    ip -n "$1" link set "$2" up
    ip -n "$1" link set lo up
    mkdir -p "/etc/netns/$1"
    printf '127.0.0.1 localhost\n10.88.0.1 hosta\n10.88.0.2 hostb\n' >"/etc/netns/$1/hosts"
}
plug "$one" "$cable_one" 10.88.0.1
plug "$two" "$cable_two" 10.88.0.2

# Runs a command on a host: in its network, under its name.
cat >"$work/on" <<END
#!/bin/sh
# on HOST COMMAND...
host=\$1
shift
case \$host in *a|*.1) space=$one name=hosta ;; *) space=$two name=hostb ;; esac
exec ip netns exec "\$space" unshare --uts sh -c "hostname \$name; \$*"
END
# The same as a remote shell has it: flags may come before the host.
cat >"$work/rsh" <<END
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
exec "$work/on" "\$@"
END
chmod +x "$work/on" "$work/rsh"

passed=0 failed=0
ok() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $1"
    [ $# -lt 2 ] || head -n 30 "$2"
}

# How each MPI is started on the first host, for both: over TCP, since the two share no memory.
cat >"$work/openmpi" <<END
#!/bin/sh
exec mpirun.openmpi --allow-run-as-root --host hosta:2,hostb:2 -n 4 --mca plm_rsh_agent "$work/rsh" \\
    --mca plm_rsh_no_tree_spawn 1 --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include 10.88.0.0/24 \\
    --mca oob_tcp_if_include 10.88.0.0/24 "\$@"
END
cat >"$work/mpich" <<END
#!/bin/sh
export UCX_TLS=tcp,self
exec mpirun.mpich -hosts hosta:2,hostb:2 -n 4 -launcher rsh -launcher-exec "$work/rsh" "\$@"
END
chmod +x "$work/openmpi" "$work/mpich"

job="$penstock poststack --samples 80 --traces 60 --quiet"
# The model errors of a summary, to six digits behind the point, rounded.
errors() { sed -n 's/.*"relativeModelError" : \([0-9.E-]*\).*/\1/p' "$1/summary.json" | awk '{printf "%.6f ", $1}'; }
# How many bytes have come through the cable.
carried() { ip -n "$one" -s link show "$cable_one" | sed -n 4p | awk '{print $1}'; }

same_result() {
    before=$(carried)
    # The status is not looked at: MPICH over UCX and TCP now and then fails to finalise once all is done, which is told.
    timeout 120 "$work/on" hosta "$work/$1 $job --iterations 10 --out $work/out-$1" >"$work/$1.log" 2>&1
    if [ $? -ne 124 ] && [ -n "$(errors "$work/out-$1")" ] && [ "$(errors "$work/out-$1")" = "$(errors "$work/alone")" ]; then
        ok
    else
        bad "$1 gives the result of a single process" "$work/$1.log"
    fi
    if [ $(($(carried) - before)) -gt 50000 ]; then ok; else bad "$1 goes through the cable"; fi
}

# The cable is cut while the job runs: the ranks of the first host must end and say who does not answer. Open MPI's launcher, which
# has lost its helper on the other host, may stay behind; that is not the job's doing, so it is killed.
cut() {
    before=$(carried)
    "$work/on" hosta "$work/$1 $job --iterations 1000000 --out $work/cut-$1" >"$work/cut-$1.log" 2>&1 &
    launcher=$!
    waited=0
    while [ $(($(carried) - before)) -lt 400000 ] && [ $waited -lt 60 ]; do
        sleep 1
        waited=$((waited + 1))
    done
    ip -n "$one" link set "$cable_one" down
    waited=0
    while [ $waited -lt 45 ]; do
        [ "$(grep -c '^penstock: rank [01] ends.*does not answer' "$work/cut-$1.log")" -lt 2 ] || break
        sleep 1
        waited=$((waited + 1))
    done
    if [ "$(grep -c '^penstock: rank [01] ends.*rank [23] does not answer' "$work/cut-$1.log")" -ge 2 ]; then
        ok
    else
        bad "with $1 a cut cable ends the ranks with the reason" "$work/cut-$1.log"
    fi
    waited=0
    while pgrep -f -- "java.*--out $work/cut-$1" >"$work/left" && [ $waited -lt 30 ]; do
        sleep 1
        waited=$((waited + 1))
    done
    if [ ! -s "$work/left" ]; then ok; else bad "with $1 no rank is left" "$work/left"; fi
    pkill -KILL -f -- "$work/cut-$1" 2>/dev/null
    kill -KILL "$launcher" 2>/dev/null
    wait "$launcher" 2>/dev/null
    ip -n "$one" link set "$cable_one" up
    sleep 1
}

$job --iterations 10 --out "$work/alone" >"$work/alone.log" 2>&1 || bad "a single process" "$work/alone.log"
for mpi in openmpi mpich; do
    command -v "mpirun.$mpi" >/dev/null 2>&1 || continue
    same_result $mpi
    cut $mpi
done
echo "two hosts: $passed passed, $failed failed"
[ $failed -eq 0 ]
