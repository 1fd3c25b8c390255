package io.penstock.cli.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A picture of a timeline: a lane for each queue and thread, boxes for work, coloured by its name, hatched boxes for waits, and arrows
 * to what has waited from what it has waited for.
 */
public final class TimelineFigure {
    private static final double SCALE = 1.5;
    private static final int MOST_WIDTH = 20_000;
    private static final int BELOW = 88;
    private static final double THINNEST = 0.7;
    private static final int MOST_STRONG_ARROWS = 60;
    private static final Color LANE = new Color(0xF4F4F4);
    private static final Color HATCH = new Color(0x8A8A8A);
    private static final Color FAILURE = new Color(0xC00000);
    private static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
    private static final Font NORMAL = new Font(Font.SANS_SERIF, Font.PLAIN, 12);

    private final String title;
    private final Timeline timeline;
    private final TimelineLayout layout;
    private final Map<String, Color> colours;

    /**
     * A figure of a stretch of time.
     *
     * @param from where it begins, in seconds
     * @param to where it ends, later than {@code from}
     * @param width how wide it is, in points of a page (the picture has half as many pixels again)
     */
    public TimelineFigure(String title, Timeline timeline, double from, double to, int width) {
        if (!(from < to))
            throw new IllegalArgumentException("from is " + from + " and to is " + to + "; expected less");
        if (width < 400 || width > MOST_WIDTH)
            throw new IllegalArgumentException("width is " + width + "; expected 400 to " + MOST_WIDTH);
        Fonts.require();
        this.title = title;
        this.timeline = timeline.between(from, to);
        this.colours = TimelineColours.of(this.timeline);
        this.layout = new TimelineLayout(this.timeline, from, to, roomForNames(this.timeline), width);
    }

    private static int roomForNames(Timeline timeline) {
        BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
        Graphics2D g = image.createGraphics();
        try {
            g.setFont(SMALL);
            double widest = timeline.lanes().stream()
                    .mapToDouble(lane -> Text.width(g, lane.name()))
                    .max()
                    .orElse(0);
            return (int) Math.ceil(widest) + 24;
        } finally {
            g.dispose();
        }
    }

    /** Draws the picture into a PNG file. */
    public void save(Path file) throws IOException {
        Png.write(draw(), file);
    }

    TimelineLayout layout() {
        return layout;
    }

    BufferedImage draw() {
        BufferedImage image = new BufferedImage(
                (int) Math.ceil(SCALE * (layout.right() + 24)),
                (int) Math.ceil(SCALE * (layout.bottom() + BELOW)),
                BufferedImage.TYPE_INT_RGB);
        Graphics2D g = image.createGraphics();
        try {
            g.setColor(Color.WHITE);
            g.fillRect(0, 0, image.getWidth(), image.getHeight());
            g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            g.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
            g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
            g.scale(SCALE, SCALE);
            names(g);
            axis(g);
            Shape all = g.getClip();
            g.clip(new Rectangle2D.Double(layout.left(), 0, layout.right() - layout.left(), layout.bottom()));
            for (int lane = 0; lane < timeline.lanes().size(); lane++) boxes(g, lane);
            arrows(g);
            for (int lane = 0; lane < timeline.lanes().size(); lane++) failures(g, lane);
            g.setClip(all);
            legend(g);
        } finally {
            g.dispose();
        }
        return image;
    }

    private void names(Graphics2D g) {
        g.setColor(Color.BLACK);
        g.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
        g.drawString(title, 12, 26);
        g.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 12));
        for (TimelineLayout.Heading heading : layout.headings()) g.drawString(heading.group(), 12, heading.baseline());
        g.setFont(SMALL);
        for (int lane = 0; lane < timeline.lanes().size(); lane++) {
            g.setColor(LANE);
            g.fillRect(layout.left(), layout.top(lane), layout.right() - layout.left(), TimelineLayout.LANE);
            g.setColor(Color.BLACK);
            Text.endingAt(g, timeline.lanes().get(lane).name(), layout.left() - 8, layout.middle(lane) + 4);
        }
    }

    private void axis(Graphics2D g) {
        double span = layout.to() - layout.from();
        TimeUnit unit = TimeUnit.of(span);
        g.setFont(NORMAL);
        Ticks ticks = Ticks.between(layout.from() * unit.factor(), layout.to() * unit.factor(), 10);
        for (double value : ticks.values()) {
            double x = layout.x(value / unit.factor());
            g.setColor(new Color(0xDDDDDD));
            g.setStroke(new BasicStroke(0.6f));
            g.draw(new Line2D.Double(x, TimelineLayout.TOP, x, layout.bottom()));
            g.setColor(Color.BLACK);
            g.draw(new Line2D.Double(x, layout.bottom(), x, layout.bottom() + 4));
            Text.centred(g, ticks.text(value), x, layout.bottom() + 17);
        }
        g.draw(new Line2D.Double(layout.left(), layout.bottom(), layout.right(), layout.bottom()));
        Text.centred(g, "time, " + unit.symbol(), (layout.left() + layout.right()) / 2.0, layout.bottom() + 34);
    }

    /** Long ones first, so that those within them are seen; of those thinner than a pixel, only what is alone in its pixel. */
    private void boxes(Graphics2D g, int lane) {
        BitSet taken = new BitSet();
        List<Timeline.Box> longFirst = timeline.lanes().get(lane).boxes().stream()
                .sorted(Comparator.comparingDouble((Timeline.Box box) -> box.begin() - box.end()))
                .toList();
        for (Timeline.Box box : longFirst) {
            int first = pixel(box.begin());
            int last = pixel(box.end());
            if (first == last && taken.get(first)) continue;
            taken.set(first, last + 1);
            box(g, box, layout.top(lane));
        }
    }

    private int pixel(double time) {
        return (int) (SCALE * Math.clamp(layout.x(time), layout.left(), layout.right()));
    }

    private void box(Graphics2D g, Timeline.Box box, int top) {
        double begin = Math.max(layout.x(box.begin()), layout.left() - 2.0);
        double end = Math.min(layout.x(box.end()), layout.right() + 2.0);
        Rectangle2D shape = new Rectangle2D.Double(begin, top, Math.max(THINNEST, end - begin), TimelineLayout.LANE);
        if (box.kind() == Timeline.Kind.WAIT) {
            hatch(g, shape);
            return;
        }
        Color colour = colours.getOrDefault(TimelineColours.key(box), Color.GRAY);
        g.setColor(colour);
        g.fill(shape);
        if (end - begin < 4) return;
        g.setColor(colour.darker());
        g.setStroke(new BasicStroke(0.6f));
        g.draw(shape);
        g.setFont(SMALL);
        if (Text.width(g, box.name()) > end - begin - 6) return;
        g.setColor(TimelineColours.isDark(colour) ? Color.WHITE : Color.BLACK);
        Text.centred(g, box.name(), (begin + end) / 2, top + TimelineLayout.LANE / 2.0 + 4);
    }

    private static void hatch(Graphics2D g, Rectangle2D shape) {
        g.setColor(Color.WHITE);
        g.fill(shape);
        g.setColor(HATCH);
        g.setStroke(new BasicStroke(0.7f));
        Shape before = g.getClip();
        g.clip(shape);
        double height = shape.getHeight();
        for (double x = Math.floor(shape.getX() / 5) * 5 - height; x < shape.getMaxX(); x += 5)
            g.draw(new Line2D.Double(x, shape.getMaxY(), x + height, shape.getY()));
        g.setClip(before);
        if (shape.getWidth() >= 4) g.draw(shape);
    }

    private void arrows(Graphics2D g) {
        List<Timeline.Arrow> seen = timeline.arrows();
        // Where there are many, each is faint: their pattern tells more than any one of them.
        int alpha = Math.clamp(190L * MOST_STRONG_ARROWS / Math.max(1, seen.size()), 6, 190);
        g.setColor(new Color(0x20, 0x20, 0x20, alpha));
        g.setStroke(new BasicStroke(0.8f));
        for (Timeline.Arrow arrow : seen)
            arrow(
                    g,
                    layout.x(arrow.begin()),
                    layout.middle(arrow.from()),
                    layout.x(arrow.end()),
                    layout.middle(arrow.to()));
    }

    private static void arrow(Graphics2D g, double x0, double y0, double x1, double y1) {
        double length = Math.hypot(x1 - x0, y1 - y0);
        if (length < 1) return;
        double ux = (x1 - x0) / length;
        double uy = (y1 - y0) / length;
        g.draw(new Line2D.Double(x0, y0, x1 - 5 * ux, y1 - 5 * uy));
        Path2D head = new Path2D.Double();
        head.moveTo(x1, y1);
        head.lineTo(x1 - 7 * ux - 2.6 * uy, y1 - 7 * uy + 2.6 * ux);
        head.lineTo(x1 - 7 * ux + 2.6 * uy, y1 - 7 * uy - 2.6 * ux);
        head.closePath();
        g.fill(head);
    }

    /** A cross where something failed. */
    private void failures(Graphics2D g, int lane) {
        g.setColor(FAILURE);
        g.setStroke(new BasicStroke(2f));
        double y = layout.middle(lane);
        for (double at : timeline.lanes().get(lane).failures()) {
            double x = layout.x(at);
            g.draw(new Line2D.Double(x - 6, y - 6, x + 6, y + 6));
            g.draw(new Line2D.Double(x - 6, y + 6, x + 6, y - 6));
        }
    }

    private void legend(Graphics2D g) {
        g.setFont(NORMAL);
        double x = layout.left();
        int y = layout.bottom() + 52;
        for (Map.Entry<String, Color> entry : colours.entrySet()) {
            double width = 20 + Text.width(g, entry.getKey()) + 16;
            if (x + width > layout.right()) break;
            g.setColor(entry.getValue());
            g.fill(new Rectangle2D.Double(x, y, 14, 12));
            g.setColor(Color.BLACK);
            g.drawString(entry.getKey(), (float) x + 20, y + 11);
            x += width;
        }
        hatch(g, new Rectangle2D.Double(layout.left(), y + 18, 14, 12));
        g.setColor(Color.BLACK);
        g.drawString("waits for other queues (arrows: for what)", layout.left() + 20, y + 29);
    }
}
