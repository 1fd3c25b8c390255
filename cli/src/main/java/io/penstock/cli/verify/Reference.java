package io.penstock.cli.verify;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A recorded case: what was asked of the peer, and what it answered.
 *
 * @param id its name, unique in the index
 * @param kind {@code operator}, {@code solver}, {@code function}, {@code values} or {@code halo}
 * @param op the peer's name of the operator, solver or function
 * @param distributed whether it was computed on several ranks
 * @param tolerances by output; the one named {@code *} holds for all others
 * @param archive where its arrays are
 * @param keys the arrays' names within the archive, by their names within the case
 * @param json everything that was recorded
 */
record Reference(
        String id,
        String kind,
        String op,
        boolean distributed,
        Map<String, Tolerance> tolerances,
        Archive archive,
        Map<String, String> keys,
        JsonNode json) {

    /** What the peer's deviation from the mathematics is, or whatever else was noted; empty when nothing was. */
    String note() {
        return json.path("note").asString("");
    }

    /**
     * How far an output may be from the recorded one.
     *
     * <p>A case may amplify rounding errors beyond its tolerance. How much it does shows in how far the peer's own results on
     * several numbers of ranks lie apart: a hundred times that distance is always allowed. And the peer's {@code r1norm}, the
     * squared norm of the gradient at {@code x}, is asked to be no closer than {@code x} is.
     */
    Tolerance tolerance(String output) {
        String name = output.equals("exact_x") ? "x" : output;
        double spread = json.path("peer_ranks_max_rel_diff").path(name).asDouble(0);
        double least = Math.max(100 * spread, name.equals("r1norm") ? given("x").rtol() : 0);
        Tolerance given = given(name);
        return new Tolerance(Math.max(given.rtol(), least), given.atol());
    }

    private Tolerance given(String output) {
        Tolerance given = tolerances.containsKey(output) ? tolerances.get(output) : tolerances.get("*");
        if (given == null) throw new IllegalArgumentException(id + " has no tolerance for '" + output + "'");
        return given;
    }

    boolean has(String array) {
        return keys.containsKey(array);
    }

    /** An array of the case; a parameter such as {@code $h} names one as well. */
    NDArray array(String name) {
        String plain = name.startsWith("$") ? name.substring(1) : name;
        String key = keys.get(plain);
        if (key == null)
            throw new IllegalArgumentException(id + " has no array '" + plain + "'; it has " + keys.keySet());
        return archive.get(key);
    }

    /** The type of the elements. */
    DType dtype() {
        return dtype(json.path("dtype").asString(""));
    }

    private DType dtype(String name) {
        return switch (name) {
            case "float32" -> DType.F32;
            case "float64" -> DType.F64;
            case "complex64" -> DType.C64;
            case "complex128" -> DType.C128;
            case "int32" -> DType.I32;
            case "int64" -> DType.I64;
            default ->
                throw new IllegalArgumentException(id + " has dtype '" + name + "'; expected one of NumPy's names");
        };
    }

    /** The shape of the model of an operator, or of its data. */
    long[] dims(String field) {
        return longs(json.path(field), field);
    }

    boolean hasParameter(String name) {
        JsonNode value = json.path("params").path(name);
        return !value.isMissingNode() && !value.isNull();
    }

    JsonNode parameter(String name) {
        JsonNode value = json.path("params").path(name);
        if (value.isMissingNode() || value.isNull())
            throw new IllegalArgumentException(id + " has no parameter '" + name + "'");
        return value;
    }

    String text(String name) {
        return parameter(name).asString("");
    }

    double number(String name) {
        JsonNode value = parameter(name);
        if (!value.isNumber())
            throw new IllegalArgumentException(id + ": '" + name + "' is " + value + "; expected a number");
        return value.asDouble();
    }

    int whole(String name) {
        return (int) number(name);
    }

    boolean flag(String name) {
        return parameter(name).asBoolean(false);
    }

    /** A number that may be complex, which is recorded as its parts. */
    Complex scalar(String name) {
        JsonNode value = parameter(name);
        return value.isObject()
                ? new Complex(value.path("re").asDouble(0), value.path("im").asDouble(0))
                : new Complex(value.asDouble(0), 0);
    }

    /** A list of integers; a single one is a list of one. */
    long[] longs(String name) {
        return longs(parameter(name), name);
    }

    int[] axes(String name) {
        long[] values = longs(name);
        int[] axes = new int[values.length];
        for (int i = 0; i < axes.length; i++) axes[i] = (int) values[i];
        return axes;
    }

    double[] doubles(String name) {
        JsonNode value = parameter(name);
        if (!value.isArray()) return new double[] {value.asDouble(0)};
        double[] numbers = new double[value.size()];
        for (int i = 0; i < numbers.length; i++) numbers[i] = value.get(i).asDouble(0);
        return numbers;
    }

    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (JsonNode text : parameter(name)) texts.add(text.asString(""));
        return texts;
    }

    private long[] longs(JsonNode value, String name) {
        if (value.isNumber()) return new long[] {value.asLong()};
        if (!value.isArray())
            throw new IllegalArgumentException(id + ": '" + name + "' is " + value + "; expected a list");
        long[] numbers = new long[value.size()];
        for (int i = 0; i < numbers.length; i++) numbers[i] = value.get(i).asLong(0);
        return numbers;
    }
}
