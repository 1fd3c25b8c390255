package io.penstock.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * What the program did when it was run within this process.
 *
 * @param status its exit status
 * @param out its standard output
 * @param err its standard error
 */
public record Program(int status, String out, String err) {
    /** Runs the program. */
    public static Program run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Penstock.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Program(status, out.toString(), err.toString());
    }
}
