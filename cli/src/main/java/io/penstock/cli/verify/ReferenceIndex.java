package io.penstock.cli.verify;

import io.penstock.cli.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The index of a folder of recorded cases. */
final class ReferenceIndex {
    private final Path folder;
    private final Path file;
    private final Map<String, Archive> archives = new HashMap<>();

    private ReferenceIndex(Path folder) {
        this.folder = folder;
        this.file = folder.resolve("index.json");
    }

    /**
     * Reads the index.
     *
     * @throws IOException when it cannot be read
     * @throws IllegalArgumentException when it is not such an index, naming the place
     */
    static List<Reference> read(Path folder) throws IOException {
        ReferenceIndex index = new ReferenceIndex(folder);
        JsonNode cases = Json.read(index.file).path("cases");
        if (!cases.isArray())
            throw new IllegalArgumentException(
                    index.file + ": 'cases' is " + kind(cases) + "; expected a list of cases");
        List<Reference> references = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) references.add(index.reference(cases.get(i), "cases[" + i + "]"));
        return references;
    }

    private Reference reference(JsonNode node, String place) {
        if (!node.isObject()) throw wrong(place, node, "a case");
        return new Reference(
                text(node, place, "id"),
                text(node, place, "kind"),
                text(node, place, "op"),
                node.path("distributed").asBoolean(false),
                tolerances(node.path("tol"), place + ".tol"),
                archive(text(node, place, "file"), place),
                keys(node.path("arrays"), place + ".arrays"),
                node);
    }

    private Archive archive(String name, String place) {
        Path path = Path.of(name);
        if (path.getNameCount() != 1 || path.isAbsolute())
            throw new IllegalArgumentException(
                    file + ": " + place + ".file is '" + name + "'; expected the name of a file beside the index");
        return archives.computeIfAbsent(name, key -> new Archive(folder.resolve(key)));
    }

    private Map<String, Tolerance> tolerances(JsonNode node, String place) {
        if (!node.isObject()) throw wrong(place, node, "rtol and atol, or one such pair for each output");
        if (node.has("rtol")) return Map.of("*", tolerance(node, place));
        Map<String, Tolerance> tolerances = new LinkedHashMap<>();
        for (var entry : node.properties())
            tolerances.put(entry.getKey(), tolerance(entry.getValue(), place + "." + entry.getKey()));
        return tolerances;
    }

    private Tolerance tolerance(JsonNode node, String place) {
        return new Tolerance(bound(node.path("rtol"), place + ".rtol"), bound(node.path("atol"), place + ".atol"));
    }

    private double bound(JsonNode node, String place) {
        if (!node.isNumber() || !(node.asDouble() >= 0)) throw wrong(place, node, "a number, 0 or more");
        return node.asDouble();
    }

    private Map<String, String> keys(JsonNode node, String place) {
        if (!node.isObject()) throw wrong(place, node, "the arrays of the case");
        Map<String, String> keys = new LinkedHashMap<>();
        for (var entry : node.properties())
            keys.put(entry.getKey(), text(entry.getValue(), place + "." + entry.getKey(), "key"));
        return keys;
    }

    private String text(JsonNode node, String place, String field) {
        JsonNode value = node.path(field);
        if (!value.isString()) throw wrong(place + "." + field, value, "text");
        return value.asString();
    }

    private IllegalArgumentException wrong(String place, JsonNode node, String expected) {
        return new IllegalArgumentException(file + ": " + place + " is " + kind(node) + "; expected " + expected);
    }

    private static String kind(JsonNode node) {
        if (node.isMissingNode()) return "missing";
        String text = node.toString();
        return text.length() > 40 ? text.substring(0, 40) + "..." : text;
    }
}
