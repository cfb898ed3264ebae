// SPDX-License-Identifier: Apache-2.0
package io.sluice.architecture;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The regular expressions of compiled classes, as they stand in the code. */
final class UsedPatterns {
    private static final String PATTERN = "java/util/regex/Pattern";
    private static final String MATCHER = "java/util/regex/Matcher";
    private static final String STRING = "java/lang/String";
    private static final Set<String> OF_PATTERN = Set.of("compile", "matches");
    private static final Set<String> OF_STRING =
            Set.of("matches", "replaceAll", "replaceFirst", "split", "splitWithDelimiters");
    private static final Set<String> SEARCHES =
            Set.of("find", "replaceAll", "replaceFirst", "results", "split", "splitAsStream");

    /**
     * @param text of the expression; empty if it is not a constant
     * @param isSearched whether it may be looked for anywhere in a text, instead of in all of it
     */
    record Use(String place, Optional<String> text, int flags, boolean isSearched) {
        @Override
        public String toString() {
            return place + " " + text.orElse("(not a constant)");
        }
    }

    private UsedPatterns() {}

    static List<Use> in(Path classes) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            List<Use> uses = new ArrayList<>();
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                uses.addAll(in(ClassFile.of().parse(file)));
            }
            return uses;
        }
    }

    static List<Use> in(ClassModel type) {
        boolean searches = searches(type) || sharesAPattern(type);
        return type.methods().stream().flatMap(method -> in(type, method, searches)).toList();
    }

    private static Stream<Use> in(ClassModel type, MethodModel method, boolean searches) {
        List<CodeElement> code =
                method.code().stream().flatMap(body -> body.elementList().stream()).toList();
        return IntStream.range(0, code.size())
                .filter(i -> code.get(i) instanceof InvokeInstruction call && takesAPattern(call))
                .mapToObj(i -> use(type, code, i, searches));
    }

    private static boolean takesAPattern(InvokeInstruction call) {
        String name = call.name().stringValue();
        return switch (call.owner().asInternalName()) {
            case PATTERN -> OF_PATTERN.contains(name);
            case STRING -> OF_STRING.contains(name);
            default -> false;
        };
    }

    private static Use use(ClassModel type, List<CodeElement> code, int at, boolean searches) {
        var call = (InvokeInstruction) code.get(at);
        int parameters = call.typeSymbol().parameterCount();
        boolean isCompile = call.name().equalsString("compile");
        int flags =
                isCompile && parameters == 2
                        ? value(code, at, 0)
                                .filter(Integer.class::isInstance)
                                .map(Integer.class::cast)
                                .orElse(0)
                        : 0;
        boolean isSearched = isCompile ? searches : !call.name().equalsString("matches");
        return new Use(
                type.thisClass().asInternalName() + line(code, at),
                value(code, at, parameters - 1)
                        .filter(String.class::isInstance)
                        .map(String.class::cast),
                flags,
                isSearched);
    }

    /** The constant that is so many values below the top of the stack before {@code at}. */
    private static Optional<Object> value(List<CodeElement> code, int at, int below) {
        int depth = below;
        for (int i = at - 1; i >= 0; i--) {
            CodeElement element = code.get(i);
            Optional<Effect> effect = effect(element);
            if (effect.isEmpty()) {
                return Optional.empty();
            }
            if (depth < effect.get().pushed()) {
                return element instanceof ConstantInstruction constant
                        ? Optional.of(constant.constantValue())
                        : Optional.empty();
            }
            depth += effect.get().popped() - effect.get().pushed();
        }
        return Optional.empty();
    }

    private record Effect(int popped, int pushed) {}

    private static Optional<Effect> effect(CodeElement element) {
        return switch (element) {
            case ConstantInstruction _, LoadInstruction _ -> Optional.of(new Effect(0, 1));
            case FieldInstruction field ->
                    switch (field.opcode()) {
                        case GETSTATIC -> Optional.of(new Effect(0, 1));
                        case GETFIELD -> Optional.of(new Effect(1, 1));
                        default -> Optional.empty();
                    };
            case InvokeInstruction call ->
                    Optional.of(
                            effect(
                                    call.typeSymbol(),
                                    call.opcode() == java.lang.classfile.Opcode.INVOKESTATIC
                                            ? 0
                                            : 1));
            case InvokeDynamicInstruction call -> Optional.of(effect(call.typeSymbol(), 0));
            case java.lang.classfile.Instruction _ -> Optional.empty();
            default -> Optional.of(new Effect(0, 0));
        };
    }

    private static Effect effect(MethodTypeDesc type, int receiver) {
        boolean isVoid = type.returnType().descriptorString().equals("V");
        return new Effect(type.parameterCount() + receiver, isVoid ? 0 : 1);
    }

    private static String line(List<CodeElement> code, int at) {
        return code.subList(0, at).stream()
                .filter(LineNumber.class::isInstance)
                .map(line -> ":" + ((LineNumber) line).line())
                .reduce("", (_, last) -> last);
    }

    private static boolean searches(ClassModel type) {
        return StreamSupport.stream(type.constantPool().spliterator(), false)
                .filter(MemberRefEntry.class::isInstance)
                .map(MemberRefEntry.class::cast)
                .filter(
                        member ->
                                Set.of(PATTERN, MATCHER).contains(member.owner().asInternalName()))
                .anyMatch(
                        member ->
                                SEARCHES.contains(member.name().stringValue())
                                        || member.name().equalsString("asPredicate"));
    }

    private static boolean sharesAPattern(ClassModel type) {
        return type.fields().stream()
                .anyMatch(
                        field ->
                                field.fieldType().equalsString("L" + PATTERN + ";")
                                        && !field.flags().has(AccessFlag.PRIVATE));
    }
}
