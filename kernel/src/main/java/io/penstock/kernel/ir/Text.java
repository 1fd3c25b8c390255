package io.penstock.kernel.ir;

import java.util.List;

/**
 * A string that is made of constants and numbers.
 *
 * @param recipe the string, with {@code \u0001} where a number stands
 * @param types the types of the numbers in their order, each as Java's descriptors have it, such as {@code I} or {@code C}
 */
public record Text(String recipe, String types) {
    private static final char SLOT = '\1';

    /** A constant string. */
    static Text of(String constant) {
        return new Text(constant.replace(SLOT, '?'), "");
    }

    /** The string with its numbers, which are given as the intermediate form has them: {@code C} and {@code Z} as integers. */
    public String with(List<?> numbers) {
        StringBuilder text = new StringBuilder();
        int next = 0;
        for (int k = 0; k < recipe.length(); k++) {
            char c = recipe.charAt(k);
            if (c != SLOT) {
                text.append(c);
                continue;
            }
            Object number = numbers.get(next);
            switch (types.charAt(next++)) {
                case 'C' -> text.append(number instanceof Number n ? (char) n.intValue() : number);
                case 'Z' -> text.append(number instanceof Number n ? n.intValue() != 0 : number);
                default -> text.append(number);
            }
        }
        return text.toString();
    }

    /** This string with only the first numbers; others are left out. */
    Text first(int numbers) {
        if (types.length() <= numbers) return this;
        StringBuilder text = new StringBuilder();
        int seen = 0;
        for (int k = 0; k < recipe.length(); k++)
            if (recipe.charAt(k) == SLOT && seen++ >= numbers) text.append("...");
            else text.append(recipe.charAt(k));
        return new Text(text.toString(), types.substring(0, numbers));
    }
}
