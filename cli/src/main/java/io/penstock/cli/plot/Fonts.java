package io.penstock.cli.plot;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.util.Optional;

/** Whether this machine has a font to label pictures with, which a JDK does not bring along. */
public final class Fonts {
    private static final class Found {
        private static final Optional<String> OBSTACLE = look();
    }

    private Fonts() {}

    /** Why no picture can be drawn, and what to do about it; empty where pictures can be drawn. */
    public static Optional<String> obstacle() {
        return Found.OBSTACLE;
    }

    static void require() {
        obstacle().ifPresent(reason -> {
            throw new IllegalStateException(reason);
        });
    }

    private static Optional<String> look() {
        try {
            new Font(Font.SANS_SERIF, Font.PLAIN, 12).getStringBounds("a", new FontRenderContext(null, true, true));
            return Optional.empty();
        } catch (RuntimeException | LinkageError | InternalError e) { // AWT throws all of these, after where it fails
            return Optional.of("there is no font to label pictures with (" + e.getMessage()
                    + "); install fontconfig and a font, such as Debian's fonts-dejavu-core");
        }
    }
}
