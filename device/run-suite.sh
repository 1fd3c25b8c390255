#!/bin/bash
# Runs the device suite where it was unpacked: correctness, the same under compute-sanitizer, then benchmarks beside their peers.
#
#   run-suite.sh [RESULTS] [STEP...]     results go to RESULTS ($OUT, else results); without steps all are run
#
# Each step has a time of its own, so that one that hangs costs no other. With two GPUs or more the multi-device steps run in
# full, with one reduced. Ends with a table of the steps; the exit status is that of the suite.
set -u
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-${OUT:-$here/results}}
[ $# -eq 0 ] || shift
wanted="$*"
mkdir -p "$results"
summary=$results/summary.txt
failed=0

[ -x "$here/jre/bin/java" ] || xz -dc "$here/jre.tar.xz" | tar -C "$here" -xf -
java=$here/jre/bin/java
flags="--add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
    -XX:+UseParallelGC -Xmx8g -Djava.awt.headless=true"
classpath=$here/lib/*
for folder in "$here"/tests/* "$here"/classes/*; do classpath=$classpath:$folder; done
tests=
for folder in "$here"/tests/*; do tests=$tests${tests:+:}$folder; done
console=$(ls "$here"/junit-platform-console-standalone-*.jar)
gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')

say() { echo "$*" | tee -a "$summary"; }

# step NAME SECONDS LOG COMMAND...
step() {
    name=$1 seconds=$2 log=$results/$3
    shift 3
    case " $wanted " in "  " | *" $name "*) ;; *) return 0 ;; esac
    echo "=== $name: $*" >>"$log"
    begin=$(date +%s)
    timeout -k 10 "$seconds" "$@" >>"$log" 2>&1
    status=$?
    took=$(($(date +%s) - begin))
    if [ $status -eq 0 ]; then
        say "ok      $name ($took s)"
    else
        [ $status -ne 124 ] || status="timeout after $seconds s"
        say "FAILED  $name ($took s, status $status), see $3"
        tail -n 25 "$log"
        failed=1
    fi
}

# Runs tests and sees to it that there were some: those that find no device skip themselves.
# shellcheck disable=SC2086 # the flags are words
junit() {
    output=$("$java" $flags ${extra_flags:-} -cp "$console:$classpath" org.junit.platform.console.ConsoleLauncher \
        execute --scan-classpath "$tests" --disable-banner --disable-ansi-colors --details=tree --fail-if-no-tests "$@" 2>&1)
    status=$?
    echo "$output"
    [ $status -eq 0 ] || return $status
    echo "$output" | grep -q '\[ *[1-9][0-9]* tests successful' || { echo "no test ran"; return 1; }
}

# shellcheck disable=SC2086
penstock() { "$java" $flags ${extra_flags:-} -cp "$classpath" io.penstock.cli.Penstock "$@"; }

# compute-sanitizer follows the JVM; it reports errors by its exit status.
# shellcheck disable=SC2086
sanitized() {
    tool=$1
    shift
    compute-sanitizer --tool "$tool" --report-api-errors no --error-exitcode 9 --target-processes all --print-limit 20 \
        "$java" $flags -cp "$console:$classpath" org.junit.platform.console.ConsoleLauncher \
        execute --disable-banner --disable-ansi-colors --details=tree --fail-if-no-tests "$@"
}

peers() {
    nvcc -O3 -std=c++17 -arch=native -Xcompiler -pthread -o "$here/peers" "$here/peers.cu" -lcuda && "$here/peers" "$gpus"
}

# A process of its own, since it loses the GPU.
lost() {
    extra_flags="${extra_flags:-} -Dpenstock.test.lost=true"
    junit --include-tag gpu-lost
}

# NVIDIA's OpenCL alone, since other drivers may be installed beside it.
opencl() {
    extra_flags="-Dpenstock.opencl.platform=NVIDIA -Dpenstock.opencl.memory.limit=3g"
    penstock doctor | sed -n '/^Devices/,/^Pictures/p'
    junit "$@"
}

# Random kernels, 2,000 of them with groups among them, on every device.
fuzz() {
    extra_flags="-ea -Dpenstock.opencl.platform=NVIDIA -Dpenstock.kernels=2000 -Dpenstock.kernels.groups=12"
    junit --include-classname 'io\.penstock\.kernel\.DeviceFuzzTest'
}

# The kernel language on every device.
kernels() {
    extra_flags="-ea -Dpenstock.opencl.platform=NVIDIA"
    penstock doctor | sed -n '/^Devices/,/^Pictures/p'
    junit --include-classname 'io\.penstock\.kernel\.(DeviceCases|FailingGroups|Language|Accuracy)Test'
}

# The races of calls with late kernels on two processes: race LAUNCHER..., over the MPI that the launcher brings. Archives of MPIs
# that take device memory, where they lie beside this script, are unpacked and used.
race() {
    launcher=$1
    shift
    "$launcher" "$@" "$java" $flags -Dpenstock.mpi.programs=any -Dpenstock.gpu.rounds="${RACE_ROUNDS:-200}" \
        -cp "$console:$classpath" org.junit.platform.console.ConsoleLauncher execute --disable-banner \
        --disable-ansi-colors --details=tree --fail-if-no-tests \
        --select-method io.penstock.comm.GpuRaceTest#noCallReadsWhatIsNotWrittenYetNorWritesWhatIsStillRead \
        --select-method io.penstock.comm.GpuRaceTest#withoutTheLedgersWaitsTheSameCallsGoWrong \
        --select-method io.penstock.comm.GpuRaceTest#anMpiThatTakesDeviceMemoryIsGivenIt \
        --select-method io.penstock.comm.GpuRaceTest#anUnrelatedKernelRunsOnThroughTheCall
}

race_mpich() {
    mkdir -p "$here/mpi" && tar xJf "$here"/mpich-*cuda*.tar.xz -C "$here/mpi" && . "$here/mpi/mpich/env.sh" || return 1
    PENSTOCK_MPI=$(ls "$here"/mpi/mpich/lib*/libmpi.so.12 | head -n 1)
    export PENSTOCK_MPI
    race mpiexec -n 2
}

race_openmpi_aware() {
    mkdir -p "$here/mpi" && tar xJf "$here"/openmpi-*cuda*.tar.xz -C "$here/mpi" && . "$here/mpi/ompi/env.sh" || return 1
    PENSTOCK_MPI=$(ls "$here"/mpi/ompi/lib*/libmpi.so.40 | head -n 1)
    export PENSTOCK_MPI OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    race mpiexec -n 2 --mca pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any -x UCX_TLS=self,sm,cuda_copy,cuda_ipc
}

race_openmpi() {
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
    race mpirun -n 2
}

# An array of a GPU from one process to another by an MPI that is given host memory: whole, and in pieces of several sizes.
staging() {
    PENSTOCK_MPI_GPU=staged
    export PENSTOCK_MPI_GPU
    for piece in 1 4 16; do
        two_processes -Dpenstock.mpi.piece=$((piece << 20)) io.penstock.cli.Penstock bench staging || return 1
    done
}

# Runs a Java program or tests as two processes under mpirun.
# shellcheck disable=SC2086
two_processes() {
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
    mpirun -n 2 "$java" $flags -Dpenstock.mpi.programs=any -Dpenstock.gpu.rounds="${NCCL_ROUNDS:-20}" \
        -cp "$console:$classpath" "$@"
}

# NCCL between two processes with a GPU each: late kernels, and distributed arrays against the JVM's.
nccl_processes() {
    two_processes org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors \
        --details=tree --fail-if-no-tests \
        --select-method io.penstock.comm.GpuRaceTest#ncclBetweenTwoGpusWaitsForKernelsOnTheDevice \
        --select-method io.penstock.distributed.NcclArraysTest#aThreadForEachGpu
}

# The tests of distributed arrays, operators and solvers with an NCCL communicator of one rank, and arrays on its GPU.
nccl_suite() {
    extra_flags="-Djunit.jupiter.extensions.autodetection.enabled=true -Dpenstock.test.job.ranks=1"
    junit --exclude-tag host --include-classname "io\.penstock\.(distributed|operator|solver)\.(Statistics|Halo|Arithmetic|Moving|\
RecordedValues|CudaArrays|Derivatives|DistributedStencil|Convolution|DistributedOperators|Stacks|StencilOracle|TiledMatrix|\
MultidimensionalConvolution|CudaDistributedOperators|DistributedSolvers|QueuedSolvers|CudaSolvers)Test"
}

# A process that dies, and one that stands still, while the other waits for it on its GPU: the job ends and says so.
nccl_failures() {
    said=$(two_processes -Dpenstock.comm.deadline=3 io.penstock.comm.StandInChecks dies 2>&1) && return 1
    echo "$said"
    echo "$said" | grep -q 'rank 1 has died' || return 1
    said=$(two_processes -Dpenstock.comm.deadline=3 io.penstock.comm.StandInChecks hangs 2>&1) && return 1
    echo "$said"
    echo "$said" | grep -q 'waits for other ranks in allReduce.* on its device'
}

# Strong and weak scaling: with two GPUs or more in full; with one, its own times in full and two ranks that share it reduced. Then
# the timeline of one iteration.
scaling() {
    size=
    if [ "$gpus" -lt 2 ]; then
        penstock bench scaling --device cuda --ranks 1 || return 1
        size=--reduced
    fi
    penstock bench scaling --device cuda $size || return 1
    penstock bench scaling --device cuda $size --only regularised --rounds 3 --iteration "$results/iteration.json" || return 1
    penstock timeline "$results/iteration.json"
}

# Called by itself under a time limit: run-suite.sh --do FUNCTION ARGUMENTS...
if [ "$wanted" != "${wanted#--do }" ]; then
    shift
    "$@"
    exit
fi
self() { name=$1 seconds=$2 log=$3; shift 3; step "$name" "$seconds" "$log" bash "$0" "$results" --do "$@"; }

: >"$summary"
say "$(date -u '+%Y-%m-%d %H:%M UTC'), $gpus GPU(s)"
nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader >>"$summary" 2>&1

self doctor 20 tests.log penstock doctor
extra_flags="-Dpenstock.gpu.rounds=5"
export extra_flags
self gpu-tests 200 tests.log junit --include-tag gpu
unset extra_flags
self opencl-tests 75 opencl.log opencl --include-classname '.*OpenCl.*'
self kernel-tests 120 kernels.log kernels
self kernel-fuzz 300 kernels.log fuzz
self lost-gpu 30 tests.log lost
contract=io.penstock.runtime.cuda.GpuTest
self memcheck 150 sanitizer.log sanitized memcheck --include-tag gpu --select-class $contract \
    --select-class io.penstock.array.CudaArraysTest --select-class io.penstock.cli.documents.GalleryTest
self racecheck 100 sanitizer.log sanitized racecheck --include-tag gpu --select-class io.penstock.cli.documents.GalleryTest \
    --select-method $contract#kernelsOfTwoQueuesAreOrderedByWhatTheyTouch
self peers 60 bench.log peers
self bench-launch 45 bench.log penstock bench launch
self bench-copy 150 bench.log penstock bench copy
! command -v mpirun >/dev/null 2>&1 || self race-openmpi-staged 120 race.log race_openmpi
[ ! -e "$(ls "$here"/mpich-*cuda*.tar.xz 2>/dev/null)" ] || self race-mpich-aware 120 race.log race_mpich
[ ! -e "$(ls "$here"/openmpi-*cuda*.tar.xz 2>/dev/null)" ] || self race-openmpi-aware 120 race.log race_openmpi_aware
if [ "$gpus" -gt 1 ] && command -v mpirun >/dev/null 2>&1; then
    self nccl-processes 120 nccl.log nccl_processes
    self nccl-failures 60 nccl.log nccl_failures
fi
self nccl-suite 240 nccl.log nccl_suite
! command -v mpirun >/dev/null 2>&1 || self bench-staging 90 bench.log staging
self bench-nccl 75 bench.log penstock bench nccl
self bench-gpu 150 bench-gpu.log penstock bench gpu
extra_flags="-Dpenstock.kernels.checks=off"
export extra_flags
self bench-gpu-unchecked 150 bench-gpu-unchecked.log penstock bench gpu
unset extra_flags
self bench-scaling 200 bench-scaling.log scaling
say "$([ $failed -eq 0 ] && echo 'all passed' || echo 'some failed')"
exit $failed
