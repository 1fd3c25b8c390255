package io.penstock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * The recorded reference results that lie beside the repository: an index of cases, and archives with their arrays.
 *
 * <p>This class only reads the index. A test reads the arrays of a case from {@link Case#archive} with whatever reads .npz
 * files, by the names that {@link Case#key} gives.
 */
public final class Oracle {
    private static final class Recorded {
        private static final Optional<Oracle> ORACLE = find();
    }

    private final List<Case> cases;

    private Oracle(List<Case> cases) {
        this.cases = cases;
    }

    /** Relative and absolute tolerance: {@code max|got - expected| <= rtol * max|expected| + atol} over a whole array. */
    public record Tolerance(double rtol, double atol) {}

    /**
     * One recorded case.
     *
     * @param id a name such as {@code mpi_solver_cg/c000}
     * @param kind {@code operator}, {@code solver}, {@code function}, {@code values} or {@code halo}
     * @param op the peer's name of the operator, solver or class
     * @param distributed whether the peer ran it on several ranks
     * @param dtype NumPy's name of the element type
     * @param params the parameters, as recorded; strings that begin with {@code $} name an array of the case
     * @param archive the .npz file with the arrays
     * @param json all that was recorded of the case
     */
    public record Case(
            String id,
            String kind,
            String op,
            boolean distributed,
            String dtype,
            JsonNode params,
            Path archive,
            JsonNode json) {
        /** The names of the input arrays (of cases that are not operators). */
        public List<String> inputs() {
            return strings(json.path("inputs"));
        }

        /** The names of the results; the array of result {@code r} is {@code out_r} (see {@link #outputKey}). */
        public List<String> outputs() {
            return strings(json.path("outputs"));
        }

        /** Whether the case has an array of this name. */
        public boolean has(String array) {
            return json.path("arrays").has(array);
        }

        /**
         * The name that an array of the case has in {@link #archive}, without {@code .npy}.
         *
         * @throws IllegalArgumentException when the case has no such array
         */
        public String key(String array) {
            JsonNode entry = json.path("arrays").path(array);
            if (entry.isMissingNode())
                throw new IllegalArgumentException("case " + id + " has no array " + array + "; it has "
                        + json.path("arrays").propertyNames());
            return entry.path("key").asString();
        }

        /** The name in {@link #archive} of the array with a result's expected value. */
        public String outputKey(String output) {
            return key("out_" + output);
        }

        /** How close a result must come. */
        public Tolerance tolerance(String output) {
            JsonNode tol = json.path("tol");
            JsonNode own = tol.has("rtol") ? tol : tol.path(output);
            if (own.isMissingNode())
                throw new IllegalArgumentException("case " + id + " has no tolerance for " + output);
            return new Tolerance(own.path("rtol").asDouble(), own.path("atol").asDouble());
        }

        /** What the recorder remarked on the case, or an empty string. */
        public String note() {
            return json.path("note").asString("");
        }

        @Override
        public String toString() {
            return id + " " + op + " " + params;
        }

        private static List<String> strings(JsonNode array) {
            List<String> names = new ArrayList<>();
            for (JsonNode name : array) names.add(name.asString());
            return names;
        }
    }

    /** The recorded results; skips the calling test when they are not beside the repository. */
    public static Oracle recorded() {
        Assumptions.assumeTrue(Recorded.ORACLE.isPresent(), "no folder shared/oracle beside the repository");
        return Recorded.ORACLE.orElseThrow();
    }

    /** All cases, in the order of the index. */
    public List<Case> cases() {
        return cases;
    }

    /** The cases that satisfy a condition. */
    public List<Case> cases(Predicate<Case> condition) {
        return cases.stream().filter(condition).toList();
    }

    /** The cases of one archive, such as {@code mpi_solver_cg}. */
    public List<Case> family(String archive) {
        List<Case> family = cases(c -> c.id().startsWith(archive + "/"));
        if (family.isEmpty()) throw new IllegalArgumentException("no recorded case of " + archive);
        return family;
    }

    /** How many cases each kind has. */
    public Map<String, Integer> kinds() {
        Map<String, Integer> kinds = new LinkedHashMap<>();
        for (Case c : cases) kinds.merge(c.kind(), 1, Integer::sum);
        return kinds;
    }

    private static Optional<Oracle> find() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path index = at.resolve("shared").resolve("oracle").resolve("index.json");
            if (Files.exists(index)) return Optional.of(read(index));
        }
        return Optional.empty();
    }

    private static Oracle read(Path index) {
        JsonNode root;
        try {
            root = new ObjectMapper().readTree(Files.readString(index));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + index, e);
        }
        Path folder = Objects.requireNonNull(index.getParent());
        List<Case> cases = new ArrayList<>();
        for (JsonNode c : root.path("cases"))
            cases.add(new Case(
                    c.path("id").asString(),
                    c.path("kind").asString(),
                    c.path("op").asString(),
                    c.path("distributed").asBoolean(),
                    c.path("dtype").asString(),
                    c.path("params"),
                    folder.resolve(c.path("file").asString()),
                    c));
        return new Oracle(List.copyOf(cases));
    }
}
