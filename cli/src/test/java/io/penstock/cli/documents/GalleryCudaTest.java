package io.penstock.cli.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gallery.Bilateral;
import gallery.ComplexMap;
import gallery.Histogram;
import gallery.Life;
import gallery.Mandelbrot;
import gallery.NBody;
import gallery.RayBox;
import gallery.Reduction;
import gallery.Scan;
import gallery.SparseProduct;
import gallery.Transpose;
import gallery.Wave;
import io.penstock.kernel.WorkItem;
import io.penstock.kernel.c.Dialect;
import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.ClassBytes;
import io.penstock.kernel.ir.FrontEnd;
import io.penstock.kernel.ir.KernelCode;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** nvcc takes the kernels of the gallery as CUDA C++. */
class GalleryCudaTest {
    private static final List<Class<?>> GALLERY = List.of(
            Bilateral.class,
            ComplexMap.class,
            Histogram.class,
            Life.class,
            Mandelbrot.class,
            NBody.class,
            RayBox.class,
            Reduction.class,
            Scan.class,
            SparseProduct.class,
            Transpose.class,
            Wave.class);

    private static List<KernelCode> kernels() {
        List<KernelCode> all = new ArrayList<>();
        for (Class<?> owner : GALLERY) {
            int before = all.size();
            for (Method method : owner.getDeclaredMethods())
                if (Modifier.isStatic(method.getModifiers())
                        && method.getReturnType() == void.class
                        && Arrays.asList(method.getParameterTypes()).contains(WorkItem.class))
                    all.add(FrontEnd.translate(
                            ClassBytes.visibleFrom(owner), owner.getName().replace('.', '/'), method.getName()));
            assertThat(all).as("kernels of %s", owner.getName()).hasSizeGreaterThan(before);
        }
        return all;
    }

    @Test
    void nvccTakesTheGallery(@TempDir Path folder) throws IOException, InterruptedException {
        List<KernelSource> sources = new ArrayList<>();
        for (KernelCode code : kernels()) sources.add(KernelSource.of(Dialect.CUDA, code, Variant.checked(code)));
        Path source = Files.writeString(folder.resolve("gallery.cu"), KernelSource.program(sources));
        Process compiler;
        try {
            compiler = new ProcessBuilder("nvcc", "-ptx", "-arch=sm_90", "-fmad=false", "-w", "gallery.cu")
                    .directory(source.toAbsolutePath().getParent().toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "nvcc is not on the path: the gallery is not compiled as CUDA (" + e.getMessage() + ")");
            return;
        }
        String complaints = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiler.waitFor()).as(complaints).isZero();
    }
}
