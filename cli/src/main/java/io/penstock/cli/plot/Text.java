package io.penstock.cli.plot;

import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;

/** Text placed by its middle or its end. */
final class Text {
    private Text() {}

    static void centred(Graphics2D g, String text, double x, double baseline) {
        g.drawString(text, (float) (x - width(g, text) / 2), (float) baseline);
    }

    static void endingAt(Graphics2D g, String text, double x, double baseline) {
        g.drawString(text, (float) (x - width(g, text)), (float) baseline);
    }

    /** Reads from bottom to top, its middle at {@code y}. */
    static void upward(Graphics2D g, String text, double baseline, double y) {
        AffineTransform before = g.getTransform();
        g.translate(baseline, y);
        g.rotate(-Math.PI / 2);
        g.drawString(text, (float) (-width(g, text) / 2), 0);
        g.setTransform(before);
    }

    static double width(Graphics2D g, String text) {
        return g.getFont().getStringBounds(text, g.getFontRenderContext()).getWidth();
    }
}
