// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Secrets that are known, looked for all at once (Aho and Corasick): each character of a text is
 * read once, however many secrets there are and however alike they are.
 */
final class KnownSecrets {
    /** Where a reader is who has read the beginning of a secret, or of several. */
    private static final class Node {
        private final Map<Character, Node> next = new HashMap<>(2);
        private final int depth;

        /** Where a reader goes on who reads something else: the longest end that is a beginning. */
        private @Nullable Node fallback;

        /** The length of the longest secret that ends here; 0 if none does. */
        private int longest;

        private Node(int depth) {
            this.depth = depth;
        }
    }

    private record Range(int start, int end) {}

    private final Node root = new Node(0);

    KnownSecrets(Collection<String> secrets) {
        for (String secret : secrets) {
            Node node = root;
            for (int i = 0; i < secret.length(); i++) {
                int depth = i + 1;
                node = node.next.computeIfAbsent(secret.charAt(i), _ -> new Node(depth));
            }
            node.longest = secret.length();
        }
        link();
    }

    private void link() {
        Deque<Node> open = new ArrayDeque<>();
        open.add(root);
        while (!open.isEmpty()) {
            Node node = open.remove();
            node.next.forEach(
                    (c, child) -> {
                        Node fallback = node == root ? root : after(node.fallback, c);
                        child.fallback = fallback;
                        child.longest = Math.max(child.longest, fallback.longest);
                        open.add(child);
                    });
        }
    }

    private Node after(@Nullable Node from, char c) {
        for (Node node = from; node != null; node = node.fallback) {
            Node next = node.next.get(c);
            if (next != null) {
                return next;
            }
        }
        return root;
    }

    /**
     * @param cut whether the text goes on: what may be the beginning of a secret then ends it
     */
    String hide(CharSequence text, boolean cut) {
        if (root.next.isEmpty()) {
            return text.toString();
        }
        Deque<Range> found = new ArrayDeque<>();
        Node node = root;
        for (int at = 0; at < text.length(); at++) {
            node = after(node, text.charAt(at));
            if (node.longest > 0) {
                add(found, at + 1 - node.longest, at + 1);
            }
        }
        if (cut && node.depth > 0) {
            add(found, text.length() - node.depth, text.length());
        }
        var shown = new Shown(text);
        found.forEach(range -> shown.hide(range.start(), range.end()));
        return shown.text();
    }

    /** Secrets that overlap are hidden as one. */
    private static void add(Deque<Range> found, int start, int end) {
        int first = start;
        while (!found.isEmpty() && found.getLast().end() > first) {
            first = Math.min(first, found.removeLast().start());
        }
        found.addLast(new Range(first, end));
    }
}
