package io.penstock.cli.json;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads JSON files as trees and writes values (maps, lists, records, numbers) as indented JSON. */
public final class Json {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    /**
     * Reads a file.
     *
     * @throws IOException when the file cannot be read
     * @throws IllegalArgumentException when it is not JSON, naming the file, the place and what is wrong there
     */
    public static JsonNode read(Path file) throws IOException {
        byte[] text = Files.readAllBytes(file);
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException e) {
            var at = e.getLocation();
            String place = at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw new IllegalArgumentException(file + place + ": " + e.getOriginalMessage(), e);
        }
    }

    /** A value as indented JSON. */
    public static String text(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /** Writes a value to a file, and a line end after it. */
    public static void write(Path file, Object value) throws IOException {
        Files.writeString(file, text(value) + System.lineSeparator());
    }
}
