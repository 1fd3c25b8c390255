package io.penstock.cli.verify;

import io.penstock.array.Complex;
import io.penstock.array.Vector;
import io.penstock.operator.LinearOperator;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An expression of operators as the peer writes it, such as {@code A.H@A + 0.5*B.H@B}.
 *
 * <pre>
 * sum     = product {("+" | "-") product}
 * product = ["-"] power {("@" | "*") power}
 * power   = atom {".H" | ".T" | ".conj()" | "**" digits}
 * atom    = name | number | "(" number ("+" | "-") number "j)" | "(" sum ")"
 * </pre>
 */
final class Expression<X extends Vector<X>> {
    private static final Pattern NAME = Pattern.compile("[A-Za-z]\\w*");
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?");
    private static final Pattern COMPLEX = Pattern.compile("\\((-?[\\d.]+)([+-][\\d.]+)j\\)");

    private final String text;
    private final Map<String, LinearOperator<X, X>> names;
    private int at;

    private Expression(String text, Map<String, LinearOperator<X, X>> names) {
        this.text = text.replace(" ", "");
        this.names = names;
    }

    static <X extends Vector<X>> LinearOperator<X, X> evaluate(String text, Map<String, LinearOperator<X, X>> names) {
        Expression<X> expression = new Expression<>(text, names);
        LinearOperator<X, X> result = expression.sum();
        if (expression.at != expression.text.length()) throw expression.unknown();
        return result;
    }

    private LinearOperator<X, X> sum() {
        LinearOperator<X, X> total = product();
        while (true) {
            if (skip("+")) total = total.plus(product());
            else if (skip("-")) total = total.minus(product());
            else return total;
        }
    }

    private LinearOperator<X, X> product() {
        if (skip("-")) return product().negate();
        Complex factor = scalar();
        if (factor != null) {
            if (!skip("*")) throw unknown();
            return product().scaled(factor);
        }
        LinearOperator<X, X> total = power();
        while (skip("@")) total = total.times(power());
        return total;
    }

    private LinearOperator<X, X> power() {
        LinearOperator<X, X> base = atom();
        while (true) {
            if (skip(".H")) base = base.adjoint();
            else if (skip(".T")) base = base.transpose();
            else if (skip(".conj()")) base = base.conjugate();
            else if (skip("**")) base = base.power(Integer.parseInt(take(NUMBER)));
            else return base;
        }
    }

    /** An operator, after a number that multiplies it within its parentheses where there is one. */
    private LinearOperator<X, X> atom() {
        if (skip("(")) {
            LinearOperator<X, X> inner = sum();
            if (!skip(")")) throw unknown();
            return inner;
        }
        LinearOperator<X, X> named = names.get(take(NAME));
        if (named == null) throw unknown();
        return named;
    }

    private @Nullable Complex scalar() {
        Matcher complex = COMPLEX.matcher(text).region(at, text.length());
        if (complex.lookingAt()) {
            at = complex.end();
            return new Complex(Double.parseDouble(complex.group(1)), Double.parseDouble(complex.group(2)));
        }
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (!number.lookingAt()) return null;
        at = number.end();
        return new Complex(Double.parseDouble(number.group()), 0);
    }

    private boolean skip(String token) {
        boolean here = text.startsWith(token, at);
        if (here) at += token.length();
        return here;
    }

    private String take(Pattern pattern) {
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) throw unknown();
        at = matcher.end();
        return matcher.group();
    }

    private NotCovered unknown() {
        return new NotCovered("the expression '" + text + "' from position " + at + " on");
    }
}
