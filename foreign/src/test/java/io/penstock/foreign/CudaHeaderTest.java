package io.penstock.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the bindings of the CUDA driver say, against what the C compiler makes of the driver's header, where both are found. */
class CudaHeaderTest {
    private static final Map<String, StructLayout> STRUCTS = Map.of(
            "CUDA_MEMCPY3D", CudaValues.MEMCPY3D,
            "CUDA_MEMCPY3D_PEER", CudaValues.MEMCPY3D_PEER,
            "CUmemPoolProps", CudaValues.MEM_POOL_PROPS,
            "CUmemAccessDesc", CudaValues.MEM_ACCESS_DESC,
            "CUgraphExecUpdateResultInfo", CudaValues.GRAPH_EXEC_UPDATE_RESULT_INFO);

    /** The types that an argument may have besides pointers: all of them travel in one integer register. */
    private static final Set<String> SCALARS = Set.of(
            "int",
            "unsigned int",
            "unsigned char",
            "unsigned short",
            "unsigned long long",
            "size_t",
            "CUresult",
            "CUdevice",
            "CUdevice_attribute",
            "CUdeviceptr",
            "CUcontext",
            "CUstream",
            "CUevent",
            "CUmodule",
            "CUfunction",
            "CUfunction_attribute",
            "CUgraph",
            "CUgraphExec",
            "CUmemoryPool",
            "CUmemPool_attribute",
            "CUmem_advise",
            "CUmem_range_attribute",
            "CUpointer_attribute",
            "CUmemLocation",
            "CUoccupancyB2DSize",
            "CUstreamCaptureMode");

    @TempDir
    private Path folder;

    private Path header = Path.of("");

    @BeforeEach
    void findHeader() {
        header = Stream.of(System.getenv().getOrDefault("CUDA_HOME", "/usr/local/cuda"), "/usr")
                .map(home -> Path.of(home, "include", "cuda.h"))
                .filter(Files::exists)
                .findFirst()
                .orElse(header);
        assumeTrue(header.endsWith("cuda.h"), "no cuda.h on this machine to compare with");
    }

    /** What a C program prints that includes the header: lines of a name and a value. */
    private Map<String, String> printed(String statements) throws IOException, InterruptedException {
        Path source = Files.writeString(folder.resolve("ask.c"), """
                #include <cuda.h>
                #include <stddef.h>
                #include <stdio.h>
                #define TEXT(x) QUOTED(x)
                #define QUOTED(x) #x
                int main(void) {
                %s
                  return 0;
                }
                """.formatted(statements));
        Path program = folder.resolve("ask");
        Process compiler;
        try {
            compiler = new ProcessBuilder(
                            "cc",
                            "-I",
                            header.resolveSibling("").toString(),
                            "-o",
                            program.toString(),
                            source.toString())
                    .inheritIO()
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "no C compiler to read cuda.h with");
            throw e;
        }
        assertThat(compiler.waitFor()).isZero();
        Process run = new ProcessBuilder(program.toString()).start();
        Map<String, String> values = new TreeMap<>();
        new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .forEach(line ->
                        values.put(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1)));
        assertThat(run.waitFor()).isZero();
        return values;
    }

    @Test
    void constantsAreTheHeaders() throws IOException, InterruptedException, IllegalAccessException {
        Map<String, String> ours = new TreeMap<>();
        StringBuilder asked = new StringBuilder();
        for (Field field : CudaValues.class.getDeclaredFields()) {
            if (field.getType() != int.class || !Modifier.isPublic(field.getModifiers())) continue;
            ours.put(field.getName(), Integer.toString(field.getInt(null)));
            asked.append("printf(\"%1$s %%d\\n\", (int) %1$s);%n".formatted(field.getName()));
        }
        assertThat(ours).isNotEmpty().isEqualTo(printed(asked.toString()));
    }

    @Test
    void structsAreTheHeaders() throws IOException, InterruptedException {
        Map<String, String> ours = new TreeMap<>();
        StringBuilder asked = new StringBuilder();
        STRUCTS.forEach((name, layout) -> {
            ours.put(name, Long.toString(layout.byteSize()));
            asked.append("printf(\"%1$s %%zu\\n\", sizeof(%1$s));%n".formatted(name));
            layout.memberLayouts().stream()
                    .map(MemoryLayout::name)
                    .flatMap(Optional::stream)
                    .forEach(member -> {
                        ours.put(name + "." + member, Long.toString(CudaValues.offset(layout, member)));
                        asked.append("printf(\"%1$s.%2$s %%zu\\n\", offsetof(%1$s, %2$s));%n".formatted(name, member));
                    });
        });
        assertThat(printed(asked.toString())).isEqualTo(ours);
        assertThat(printed("printf(\"CUmemLocation %zu\\n\", sizeof(CUmemLocation));"
                        + "printf(\"id %zu\\n\", offsetof(CUmemLocation, id));"))
                .isEqualTo(Map.of("CUmemLocation", "8", "id", "4"));
        assertThat(CudaValues.location(2, 3)).isEqualTo((3L << 32) | 2);
    }

    @Test
    void symbolsAreThoseThatTheHeaderMapsNamesTo() throws IOException, InterruptedException {
        Map<String, String> ours = new TreeMap<>();
        StringBuilder asked = new StringBuilder();
        for (Cuda.Function function : Cuda.Function.values()) {
            String name = function.symbol.replaceFirst("_v\\d+$", "").replace("InstantiateWithFlags", "Instantiate");
            ours.put(name, function.symbol);
            asked.append("printf(\"%%s %%s\\n\", \"%1$s\", TEXT(%1$s));%n".formatted(name));
        }
        assertThat(printed(asked.toString())).isEqualTo(ours);
    }

    @Test
    void argumentsAreAsManyAsTheHeadersAndEachFitsARegister() throws IOException {
        String text = Files.readString(header);
        // After this line come the forms of former versions.
        text = text.substring(0, text.indexOf("#if defined(__CUDA_API_VERSION_INTERNAL)", text.length() / 2));
        for (Cuda.Function function : Cuda.Function.values()) {
            String name = function.symbol.replaceFirst("_v\\d+$", "").replace("InstantiateWithFlags", "Instantiate");
            Matcher declared = Pattern.compile("CUresult CUDAAPI " + name + "\\(([^)]*)\\);")
                    .matcher(text);
            assertThat(declared.find()).as(name).isTrue();
            List<String> parameters = List.of(declared.group(1).split(","));
            assertThat(parameters).as(name).hasSize(function.arity);
            for (String parameter : parameters) {
                if (parameter.contains("*") || parameter.contains("[")) continue;
                String type = parameter.strip().replaceFirst("\\s+\\w+$", "");
                assertThat(SCALARS).as(name + ": " + parameter).contains(type);
            }
        }
    }
}
