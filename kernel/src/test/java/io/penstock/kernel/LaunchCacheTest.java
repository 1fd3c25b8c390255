package io.penstock.kernel;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.kernel.ir.ClassBytes;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceCode.Language;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.Queue;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the disk keeps of launches is used where all is as it was, and there only. */
class LaunchCacheTest {
    private static final String OWNER = "io/penstock/kernel/CachedKernels";
    private static final String CALLED = OWNER + "$Called";
    private static final MethodType TYPE =
            MethodType.methodType(void.class, WorkItem.class, Ints.class, Ints.class, int.class);

    @TempDir
    private Path folder;

    private final Scope scope = Scope.open();

    @AfterEach
    void close() {
        scope.close();
    }

    private static final List<String> METHODS = List.of("scale", "other", "shared", "own");

    /** Class files of these tests, of which some are changed; counts how often a kernel's class is asked for. */
    private static final class Sources implements ClassBytes {
        private final ClassBytes real = ClassBytes.visibleFrom(CachedKernels.class);
        private final @Nullable String changed;
        private final @Nullable String silent;
        private int asked;

        Sources(@Nullable String changed, @Nullable String silent) {
            this.changed = changed;
            this.silent = silent;
        }

        @Override
        public byte @Nullable [] of(String name) {
            if (name.equals(OWNER)) asked++;
            byte[] bytes = real.of(name);
            return bytes == null || !name.equals(changed) ? bytes : withOtherNumbers(bytes);
        }

        @Override
        public boolean assertions(String name) {
            return !name.equals(silent);
        }
    }

    private static byte[] withOtherNumbers(byte[] type) {
        return ClassFile.of()
                .transformClass(ClassFile.of().parse(type), ClassTransform.transformingMethodBodies((code, element) -> {
                    if (element instanceof ConstantInstruction number
                            && (number.constantValue().equals(1234)
                                    || number.constantValue().equals(5678L))) {
                        if (number.constantValue() instanceof Long) code.loadConstant(4321L);
                        else code.loadConstant(4321);
                    } else code.with(element);
                }));
    }

    /** Has classes of its own in place of its parent's, from the same files. */
    private static final class Again extends ClassLoader {
        Again() {
            super(LaunchCacheTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(CachedKernels.class.getName()) && !name.equals(CaseKernels.class.getName()))
                return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            if (known != null) return known;
            byte[] file =
                    requireNonNull(ClassBytes.visibleFrom(CachedKernels.class).of(name.replace('.', '/')));
            return defineClass(name, file, 0, file.length);
        }
    }

    @Test
    void assertionsAreThoseOfTheClassThatHoldsThem() throws Exception {
        for (boolean on : List.of(true, false)) {
            Again loader = new Again();
            loader.setDefaultAssertionStatus(on);
            loader.setClassAssertionStatus(CachedKernels.class.getName(), !on);
            Class<?> owner = loader.loadClass(CachedKernels.class.getName());
            ClassBytes files = ClassBytes.visibleFrom(owner);
            assertThat(files.assertions(OWNER)).isEqualTo(!on);
            assertThat(files.assertions(CALLED)).as("a nested class").isEqualTo(!on);
            assertThat(files.assertions("io/penstock/kernel/CaseKernels"))
                    .as("another class")
                    .isEqualTo(on);
        }
    }

    /** Has a class of its own in place of its parent's, whose file it may have. */
    private static final class OwnFirst extends URLClassLoader {
        private final byte[] type;

        OwnFirst(Path place, byte[] type) throws IOException {
            super(new URL[] {place.toUri().toURL()}, LaunchCacheTest.class.getClassLoader());
            this.type = type;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(CALLED.replace('/', '.'))
                    ? defineClass(name, type, 0, type.length)
                    : super.loadClass(name, resolve);
        }
    }

    @Test
    void noClassIsTakenForAnotherOfItsName() throws Exception {
        ClassBytes parents = ClassBytes.visibleFrom(CachedKernels.class);
        byte[] other = withOtherNumbers(requireNonNull(parents.of(CALLED)));
        Path places = folder.resolve("classes");
        Path file = places.resolve(CALLED + ".class");
        Files.createDirectories(requireNonNull(file.getParent()));
        for (boolean isThere : List.of(false, true)) {
            if (isThere) write(file, other);
            try (OwnFirst loader = new OwnFirst(places, other)) {
                ClassBytes files = ClassBytes.visibleFrom(loader.loadClass(CALLED.replace('/', '.')));
                assertThat(files.of(CALLED)).isEqualTo(isThere ? other : null);
                assertThat(files.of(OWNER)).isEqualTo(parents.of(OWNER));
            }
        }
    }

    /** A launch as one process makes it. */
    private record Launching(
            String method,
            Language language,
            String identity,
            @Nullable String changed,
            @Nullable String silent,
            boolean fast,
            Range range,
            int length,
            int stride,
            boolean same,
            int by) {
        static Launching plain() {
            return new Launching(
                    "scale", Language.CUDA, "one", null, null, false, new Range(1, 1, 1, 100), 100, 1, false, 3);
        }

        private static <T> T one(SplittableRandom random, List<T> all) {
            return all.get(random.nextInt(all.size()));
        }

        static Launching random(SplittableRandom random) {
            Range range = new Range(1, 1, 1, one(random, List.of(100, 101)));
            return new Launching(
                    one(random, METHODS),
                    one(random, List.of(Language.values())),
                    one(random, List.of("one", "two")),
                    one(random, java.util.Arrays.asList(null, OWNER, CALLED)),
                    one(random, java.util.Arrays.asList(null, OWNER, CALLED)),
                    random.nextInt(4) == 0,
                    random.nextInt(4) == 0 ? range.in(new GroupShape(true, 1, 1, 10)) : range,
                    one(random, List.of(100, 6000)),
                    1 + random.nextInt(2),
                    random.nextInt(4) == 0,
                    one(random, List.of(3, 4)));
        }

        private Ints view() {
            return Ints.of(Memory.bytes(4L * length * stride), 0, new long[] {length}, new long[] {stride});
        }

        Outcome run(@Nullable Path folder) {
            FakeDevice device = new FakeDevice(language, identity);
            Sources classes = new Sources(changed, silent);
            DeviceKernels kernels = new DeviceKernels(implementation(method, classes), new ProgramCache(folder));
            Ints out = view();
            Object[] values = {out, same ? out : view(), by};
            ReadyLaunches.Ready ready = kernels.launches(device, fast).of(range, values);
            FakeDevice.Function function = (FakeDevice.Function) ready.function();
            // Whoever translates asks for the kernel's class once more.
            return new Outcome(ready.plan(), function.program(), classes.asked > 1, device.compiled());
        }
    }

    private record Outcome(LaunchPlan plan, String program, boolean translated, int compiled) {
        void isLike(Outcome other) {
            assertThat(plan).isEqualTo(other.plan);
            assertThat(program).isEqualTo(other.program);
        }
    }

    private static Implementation implementation(String method, ClassBytes classes) {
        return new Implementation(CachedKernels.LOOKUP, method, TYPE, 0, classes, OWNER, "CachedKernels." + method);
    }

    private Path empty(int number) {
        return folder.resolve("empty" + number);
    }

    @Test
    void anotherProcessFindsLaunchesWithoutTranslating() {
        for (String method : METHODS) {
            Launching launch = new Launching(
                    method, Language.OPENCL, "one", null, null, false, new Range(1, 1, 1, 100), 100, 1, false, 3);
            Outcome first = launch.run(folder);
            assertThat(first.translated).isTrue();
            Outcome second = launch.run(folder);
            second.isLike(first);
            assertThat(second.translated).isFalse();
            assertThat(first.compiled).isEqualTo(1);
            assertThat(second.compiled).isZero();
        }
    }

    @Test
    void whateverChangesIsTranslatedAnew() {
        Launching plain = Launching.plain();
        plain.run(folder);
        List<Launching> others = List.of(
                new Launching("other", Language.CUDA, "one", null, null, false, plain.range, 100, 1, false, 3),
                new Launching("scale", Language.OPENCL, "one", null, null, false, plain.range, 100, 1, false, 3),
                new Launching("scale", Language.CUDA, "two", null, null, false, plain.range, 100, 1, false, 3),
                new Launching("scale", Language.CUDA, "one", OWNER, null, false, plain.range, 100, 1, false, 3),
                new Launching("scale", Language.CUDA, "one", CALLED, null, false, plain.range, 100, 1, false, 3),
                new Launching("scale", Language.CUDA, "one", null, OWNER, false, plain.range, 100, 1, false, 3),
                new Launching("scale", Language.CUDA, "one", null, null, true, plain.range, 100, 1, false, 3),
                new Launching(
                        "scale", Language.CUDA, "one", null, null, false, new Range(1, 1, 1, 99), 100, 1, false, 3),
                new Launching("scale", Language.CUDA, "one", null, null, false, plain.range, 6000, 1, false, 3),
                new Launching("scale", Language.CUDA, "one", null, null, false, plain.range, 100, 2, false, 3),
                new Launching("scale", Language.CUDA, "one", null, null, false, plain.range, 100, 1, true, 3),
                new Launching("scale", Language.CUDA, "one", null, null, false, plain.range, 100, 1, false, 4));
        for (int k = 0; k < others.size(); k++) {
            Launching other = others.get(k);
            // Views that overlap are told from others only where elements are touched that are both read and written.
            Outcome here = other.run(folder);
            assertThat(here.translated).as("%s", other).isEqualTo(!other.same || here.plan.disjoint() == false);
            here.isLike(other.run(empty(k)));
            plain.run(folder).isLike(plain.run(empty(k)));
        }
    }

    @Test
    void aLaunchIsOfTheAssertionsOfAllItsClasses() {
        Launching on =
                new Launching("other", Language.CUDA, "one", null, null, false, new Range(1, 1, 1, 9), 9, 1, false, 3);
        Launching off = new Launching("other", Language.CUDA, "one", null, CALLED, false, on.range, 9, 1, false, 3);
        for (Launching one : List.of(on, off, on)) {
            Outcome made = one.run(folder);
            assertThat(made.translated).as("%s", one).isTrue();
            made.isLike(one.run(null));
            assertThat(one.run(folder).translated).as("%s", one).isFalse();
        }
        assertThat(on.run(null).plan.mayFail()).isTrue();
        assertThat(off.run(null).program).isNotEqualTo(on.run(null).program);
    }

    @Test
    void whatIsFoundIsWhatIsCompiled() {
        Seeded.cases(40, random -> {
            Launching process = Launching.random(random);
            process.run(folder).isLike(process.run(null));
        });
    }

    /** What can happen to a file. */
    private static byte[] damaged(byte[] good, byte[] other, SplittableRandom random) {
        byte[] bad = good.clone();
        switch (random.nextInt(5)) {
            case 0 -> bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bad = java.util.Arrays.copyOf(good, random.nextInt(good.length));
            case 2 -> bad = java.util.Arrays.copyOf(good, good.length + 1 + random.nextInt(20));
            case 3 -> bad = other.clone();
            default -> java.util.Arrays.fill(bad, random.nextInt(bad.length), bad.length, (byte) 0);
        }
        return bad;
    }

    @Test
    void damagedFilesAreMadeAnew() {
        Launching one = Launching.plain();
        Launching two = new Launching("other", Language.CUDA, "one", null, null, false, one.range, 100, 1, false, 4);
        Outcome good = one.run(folder);
        two.run(folder);
        Seeded.cases(80, random -> {
            Path victim = files().get(random.nextInt(4));
            Path friend = files().stream()
                    .filter(f -> !f.equals(victim) && ending(f).equals(ending(victim)))
                    .findFirst()
                    .orElseThrow();
            write(victim, damaged(read(victim), read(friend), random));
            one.run(folder).isLike(good);
            two.run(folder);
            assertThat(one.run(folder).translated || two.run(folder).translated).isFalse();
            assertThat(files()).hasSize(4);
        });
    }

    private static String ending(Path file) {
        return file.toString().substring(file.toString().lastIndexOf('.'));
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void write(Path file, byte[] bytes) {
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void ofAnotherBuildOfTheLibraryNothingIsRead() {
        LaunchFile file =
                new LaunchFile("this build", List.of(new ClassSum("A", 1, 2, ClassSum.Assertions.OFF)), List.of());
        assertThat(LaunchFile.of(file.bytes(), "this build")).isEqualTo(file);
        assertThat(LaunchFile.of(file.bytes(), "that build")).isNull();
        assertThat(LibrarySum.find()).isNotNull().isEqualTo(LibrarySum.find());
    }

    @Test
    void keepsFewLaunchesAndThoseThatAProcessUses() {
        Sources classes = new Sources(null, null);
        FakeDevice device = new FakeDevice(Language.CUDA, "one");
        Supplier<ReadyLaunches> process = () ->
                new DeviceKernels(implementation("scale", classes), new ProgramCache(folder)).launches(device, false);
        Ints view = Memory.ints(100);
        ReadyLaunches first = process.get();
        for (int by = 1; by <= 20; by++) first.of(new Range(1, 1, 1, 100), new Object[] {view, view, by});
        int before = classes.asked;
        ReadyLaunches second = process.get();
        for (int by = 1; by <= LaunchCache.MOST_KEPT; by++)
            second.of(new Range(1, 1, 1, 100), new Object[] {view, view, by});
        assertThat(classes.asked).isEqualTo(before + 1);
        second.of(new Range(1, 1, 1, 100), new Object[] {view, view, 9});
        assertThat(classes.asked).isEqualTo(before + 2);
        // A process with other sizes takes the places of those that it does not use.
        for (int k = 0; k < 2; k++) {
            before = classes.asked;
            process.get().of(new Range(1, 1, 1, 77), new Object[] {view, view, 1});
            assertThat(classes.asked).isEqualTo(before + 2 - k);
        }
    }

    @Test
    void manyThreadsWithoutKnowledgeOfEachOtherUseOneFolder() {
        List<Outcome> alone = new ArrayList<>();
        List<Launching> processes = new ArrayList<>();
        for (int k = 0; k < 12; k++) {
            processes.add(Launching.random(new SplittableRandom(k)));
            alone.add(processes.getLast().run(null));
        }
        IntStream.range(0, 240)
                .parallel()
                .forEach(k -> processes.get(k % 12).run(folder).isLike(alone.get(k % 12)));
    }

    /** What each of several processes does at the same time. */
    public static final class Program {
        private Program() {}

        /** Launches in the folder that is named, and compares with what is made without one. */
        public static void main(String[] args) {
            try (Scope scope = Scope.open()) {
                java.util.Objects.requireNonNull(scope);
                for (int k = 0; k < 40; k++) {
                    Launching process = Launching.random(new SplittableRandom(k % 20));
                    process.run(Path.of(args[0])).isLike(process.run(null));
                }
            }
        }
    }

    @Test
    void manyProcessesUseOneFolder() throws Exception {
        List<Process> all = new ArrayList<>();
        for (int k = 0; k < 2; k++)
            all.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Program.class.getName(),
                            folder.toString())
                    .inheritIO()
                    .start());
        for (Process one : all) assertThat(one.waitFor()).isZero();
        assertThat(files()).allMatch(file -> List.of(".kernel", ".launches").contains(ending(file)));
        assertThat(Launching.random(new SplittableRandom(0)).run(folder).compiled)
                .isZero();
    }

    /** How a launch of this program fails on a device, and whether it was translated for that. */
    private record Failure(String message, int line, boolean translated) {}

    private Failure failure(CompilingDevice device, String method, RangedShape shape, @Nullable String silent) {
        Sources classes = new Sources(null, silent);
        Implementation implementation = implementation(method, classes);
        Kernel kernel = new Kernel(Kernel.NO_BODY, implementation, new Object[0]);
        DeviceKernels kernels = new DeviceKernels(implementation, new ProgramCache(folder));
        KernelException e = catchThrowableOfType(
                KernelException.class,
                () -> OnDevice.run(
                        device,
                        there -> {
                            ReadyLaunches.Ready ready =
                                    kernels.launches(device, false).of(shape.range, there);
                            LaunchPlan plan = ready.plan();
                            DeviceLaunch launch = DeviceLaunches.bind(
                                    plan,
                                    device.code(),
                                    ready.function(),
                                    ready.threads(),
                                    shape.range,
                                    there,
                                    new RecordedFailures(kernel, device, shape.range, there, plan.places()));
                            Queue queue = device.queue();
                            queue.submit(
                                    LaunchReach.accesses(plan.touched(), plan.mayFail(), there),
                                    () -> launch.issue(queue));
                        },
                        shape.values));
        assertThat(e).as(method).isNotNull();
        return new Failure(String.valueOf(e.getMessage()), e.line(), classes.asked > 1);
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record RangedShape(Range range, Object[] values) {}

    @Test
    void failuresReadTheSameFromDisk() {
        Ints three = Memory.ints(10);
        three.set(4, 3);
        Range ten = new Range(1, 1, 1, 10);
        Ints many = Memory.ints(6000);
        List<RangedShape> shapes = List.of(
                new RangedShape(ten, new Object[] {Memory.ints(10), Memory.ints(10), 3}),
                new RangedShape(ten, new Object[] {Memory.ints(10), many, 0}),
                new RangedShape(ten, new Object[] {Memory.ints(10), many, 4711}),
                new RangedShape(ten, new Object[] {Memory.ints(10), three, 7}));
        for (Device device : OnDevice.all()) {
            if (!(device instanceof CompilingDevice compiling)) continue;
            for (int k = 0; k < shapes.size(); k++) {
                String method = k == 3 ? "own" : "scale";
                Failure first = failure(compiling, method, shapes.get(k), k == 1 ? OWNER : null);
                Failure second = failure(compiling, method, shapes.get(k), k == 1 ? OWNER : null);
                assertThat(first.translated).isTrue();
                assertThat(second).isEqualTo(new Failure(first.message, first.line, false));
                assertThat(first.line).isPositive();
            }
        }
    }
}
