// SPDX-License-Identifier: Apache-2.0
package io.sluice.architecture;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Texts that nearly match a regular expression: what its beginning matches, then what one of its
 * repetitions matches, again and again, and then what does not match. It knows the syntax that is
 * used here, and throws where it meets another one.
 */
final class NearMisses {
    private static final String CANDIDATES = "a1A_ -./:,\"'\\{}[]()=@|;\tzfb09xE+chk\u0000\u00b5";
    private static final int MOST_SAMPLES = 5;

    record Text(String beginning, String repeated, String end) {
        String ofLength(int length) {
            return beginning + repeated.repeat(Math.max(1, length / repeated.length())) + end;
        }
    }

    private final String pattern;
    private final int flags;
    private int at;
    private final Set<Text> texts = new LinkedHashSet<>();
    private final Set<String> pieces = new LinkedHashSet<>();

    private NearMisses(String pattern, int flags) {
        this.pattern = pattern;
        this.flags = flags;
    }

    static List<Text> of(String pattern, int flags) {
        var made = new NearMisses(pattern, flags);
        Set<String> whole = made.alternatives("");
        if (made.at < pattern.length()) {
            throw new IllegalStateException("what is ) for in " + pattern);
        }
        List<Text> all = new ArrayList<>(made.texts);
        whole.forEach(each -> all.add(new Text("", each.isEmpty() ? "a" : each, "\u0000")));
        for (Text text : made.texts) {
            all.add(new Text("", text.beginning() + text.repeated(), "\u0000"));
            made.pieces.forEach(
                    piece ->
                            all.add(new Text(text.beginning(), text.repeated() + piece, "\u0000")));
        }
        made.pieces.forEach(a -> made.pieces.forEach(b -> all.add(new Text("", a + b, "\u0000"))));
        return all.stream().distinct().filter(text -> !text.repeated().isEmpty()).toList();
    }

    /** Samples of what is matched from here to the end of the group. */
    private Set<String> alternatives(String before) {
        Set<String> samples = new LinkedHashSet<>(sequence(before));
        while (peek('|')) {
            at++;
            samples.addAll(sequence(before));
        }
        return samples;
    }

    private Set<String> sequence(String before) {
        Set<String> samples = Set.of("");
        while (at < pattern.length() && !peek('|') && !peek(')')) {
            int start = at;
            String first = before + samples.iterator().next();
            Set<String> unit = unit(first);
            samples = joined(samples, repeated(first, unit, pattern.substring(start, at)));
        }
        return samples;
    }

    private static Set<String> joined(Set<String> left, Set<String> right) {
        Set<String> all = new LinkedHashSet<>();
        left.stream()
                .limit(MOST_SAMPLES)
                .forEach(a -> right.stream().limit(MOST_SAMPLES).forEach(b -> all.add(a + b)));
        return all;
    }

    private Set<String> repeated(String before, Set<String> unit, String source) {
        int most = quantifier();
        if (most > 2) {
            unit.stream()
                    .filter(piece -> !piece.isEmpty())
                    .forEach(
                            piece -> {
                                texts.add(new Text(before, piece, "\u0000"));
                                texts.add(new Text(before, piece, ""));
                            });
        }
        unit.stream().filter(piece -> !piece.isEmpty()).forEach(pieces::add);
        if (unit.isEmpty()) {
            throw new IllegalStateException("no character is known that matches " + source);
        }
        return unit;
    }

    /** How often the former unit may be repeated; the pointer is moved behind what says so. */
    private int quantifier() {
        if (at >= pattern.length()) {
            return 1;
        }
        int most =
                switch (pattern.charAt(at)) {
                    case '*', '+' -> Integer.MAX_VALUE;
                    case '?' -> 1;
                    case '{' -> most();
                    default -> 0;
                };
        if (most == 0) {
            return 1;
        }
        at++;
        if (peek('?') || peek('+')) {
            at++;
        }
        return most;
    }

    private int most() {
        int end = pattern.indexOf('}', at);
        String[] bounds = pattern.substring(at + 1, end).split(",", -1);
        at = end;
        String last = bounds[bounds.length - 1];
        return last.isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(last);
    }

    private Set<String> unit(String before) {
        return switch (pattern.charAt(at)) {
            case '(' -> group(before);
            case '[' -> matching(classText());
            case '\\' -> escape();
            case '.' -> matching(pattern.substring(at, ++at));
            case '^', '$' -> {
                at++;
                yield Set.of("");
            }
            default -> Set.of(pattern.substring(at, ++at));
        };
    }

    private Set<String> group(String before) {
        at++;
        boolean looks = false;
        for (String opening : List.of("?:", "?>", "?!", "?=", "?<!", "?<=")) {
            if (pattern.startsWith(opening, at)) {
                at += opening.length();
                looks = !opening.equals("?:") && !opening.equals("?>");
            }
        }
        if (peek('?')) {
            throw new IllegalStateException("a group that is not known in " + pattern);
        }
        Set<String> inside = alternatives(before);
        at++;
        return looks ? Set.of("") : inside;
    }

    private Set<String> escape() {
        int start = at;
        at += 2;
        char escaped = pattern.charAt(start + 1);
        if (escaped >= '1' && escaped <= '9') {
            throw new IllegalStateException("a back reference in " + pattern);
        }
        return escaped == 'b' || escaped == 'z'
                ? Set.of("")
                : matching(pattern.substring(start, at));
    }

    private String classText() {
        int start = at;
        at += pattern.startsWith("[^", at) ? 3 : 2;
        while (!peek(']')) {
            if (peek('[') || peek('&')) {
                throw new IllegalStateException("a class in a class in " + pattern);
            }
            at += peek('\\') ? 2 : 1;
        }
        at++;
        return pattern.substring(start, at);
    }

    private Set<String> matching(String unit) {
        Pattern one = Pattern.compile(unit, flags);
        Stream<String> all = CANDIDATES.chars().mapToObj(Character::toString);
        Stream<String> own = unit.chars().mapToObj(Character::toString);
        return Stream.concat(all, own)
                .distinct()
                .filter(text -> one.matcher(text).matches())
                .limit(MOST_SAMPLES)
                .collect(LinkedHashSet::new, Set::add, Set::addAll);
    }

    private boolean peek(char c) {
        return at < pattern.length() && pattern.charAt(at) == c;
    }
}
