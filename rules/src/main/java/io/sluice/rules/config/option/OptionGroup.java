// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import io.sluice.rules.config.option.OperatorOption.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Options of the operator that are declared together. An option is on the list as soon as its
 * declaration says when a change takes effect, so that none is declared and not documented.
 */
final class OptionGroup {
    private final List<OperatorOption> declared = new ArrayList<>();

    /**
     * Begins the declaration of an option with a default.
     *
     * @param name the key without {@link OperatorOption#PREFIX}
     * @param defaultText as a configuration would write it
     */
    <T> Declaration<T> option(String name, OptionType<T> type, String defaultText) {
        return new Declaration<>(
                declared, Option.of(OperatorOption.PREFIX + name, type, defaultText));
    }

    /** Begins the declaration of an option that has no default. */
    <T> Declaration<Optional<T>> option(String name, OptionType<T> type) {
        return new Declaration<>(declared, Option.of(OperatorOption.PREFIX + name, type));
    }

    /** Those declared so far, in the order of their declarations. */
    List<OperatorOption> declared() {
        return List.copyOf(declared);
    }

    /** An option, and what has been said of it so far. */
    static final class Declaration<T> {
        private final List<OperatorOption> declared;
        private final List<String> formerKeys = new ArrayList<>();
        private Option<T> option;
        private boolean ofResources;
        private boolean isChecked;
        private boolean addedBySluice;
        private Optional<String> instead = Optional.empty();

        private Declaration(List<OperatorOption> declared, Option<T> option) {
            this.declared = declared;
            this.option = option;
        }

        /** It had another key before, which is still read. */
        Declaration<T> formerly(String name) {
            formerKeys.add(OperatorOption.PREFIX + name);
            return this;
        }

        /** A value that is not as {@code counts} counts as not set. */
        Declaration<T> where(Predicate<T> counts) {
            option = option.where(counts);
            return this;
        }

        /** A resource may set it for itself. */
        Declaration<T> ofResourcesToo() {
            ofResources = true;
            return this;
        }

        /** A resource is refused whose configuration has a value of another type for it. */
        Declaration<T> checkedInResources() {
            isChecked = true;
            return this;
        }

        /** The Apache operator does not have it. */
        Declaration<T> addedBySluice() {
            addedBySluice = true;
            return this;
        }

        /** A change takes effect with the next reconciliation. */
        Option<T> now(String meaning) {
            return declared(Effect.NOW, meaning);
        }

        /** A change takes effect when the process is started again. */
        Option<T> atStart(String meaning) {
            return declared(Effect.START, meaning);
        }

        /** What happens in its place is what {@code value} asks for. */
        Declaration<T> actsLike(String value) {
            instead = Optional.of(value);
            return this;
        }

        /** It is known and checked, and has no effect. */
        void ignored(String instead) {
            declared(Effect.NO, instead);
        }

        private Option<T> declared(Effect effect, String meaning) {
            declared.add(
                    new OperatorOption(
                            option,
                            ofResources,
                            isChecked,
                            addedBySluice,
                            effect,
                            meaning,
                            instead,
                            formerKeys));
            return option;
        }
    }
}
