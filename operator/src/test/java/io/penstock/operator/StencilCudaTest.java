package io.penstock.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.array.DType;
import io.penstock.kernel.c.Dialect;
import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.ClassBytes;
import io.penstock.kernel.ir.FrontEnd;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.testing.Nvcc;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CUDA C of kernels that are made for stencils compiles. */
class StencilCudaTest {
    private static final int STENCILS = 6;

    private static KernelCode code(String name, byte[] classFile) {
        ClassModel model = ClassFile.of().parse(classFile);
        String owner = model.thisClass().asInternalName();
        KernelCode code = FrontEnd.translate(
                ClassBytes.generated(owner, classFile, TapCode.class),
                owner,
                "apply",
                model.methods().getFirst().methodType().stringValue(),
                0);
        return new KernelCode(name, code.parameters(), code.blocks());
    }

    /** What a launch over large arrays proves. */
    private static Variant proved(KernelCode code) {
        List<Variant.OfView> views = List.of(new Variant.OfView(true, 3, true), new Variant.OfView(true, 3, true));
        BitSet all = Variant.unchecked(code).proved();
        return new Variant(all, new BitSet(), new BitSet(), true, views, true, 4, false, true, false);
    }

    @Test
    void whatIsWrittenForStencilsCompiles(@TempDir Path folder) {
        assumeTrue(Nvcc.isInstalled(), "nvcc is not on the path: the generated CUDA sources are not compiled");
        SplittableRandom random = new SplittableRandom(4);
        List<KernelSource> sources = new ArrayList<>();
        while (sources.size() < 2 * STENCILS) {
            long[] shape = random.longs(random.nextInt(1, 4), 2, 9).toArray();
            Stencil stencil = DistributedStencilTest.anyStencil(random, shape);
            List<SweepAxis> axes = StencilPattern.padded(SweepAxis.merged(stencil, DType.F32, null));
            StencilPattern pattern = axes == null ? null : StencilPattern.of(random.nextBoolean(), axes);
            if (pattern == null) continue;
            String name = "stencil" + sources.size();
            KernelCode code = code(name, TapCode.of(pattern, random.nextBoolean()));
            sources.add(KernelSource.of(Dialect.CUDA, code, proved(code)));
            KernelCode second = code(name + "checked", TapCode.of(pattern, random.nextBoolean()));
            sources.add(KernelSource.of(Dialect.CUDA, second, Variant.checked(second)));
        }
        assertThat(Nvcc.complaints(folder, "stencils", KernelSource.program(sources)))
                .isEmpty();
    }
}
