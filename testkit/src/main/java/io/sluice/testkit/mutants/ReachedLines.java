// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Which lines of some sources are run: a seed that does not run those that a mutant changes is the
 * same with it. The class loader of the runs has their classes from {@link #watched}.
 *
 * @param numbers of the lines, by the path of their source below a folder of sources
 */
public record ReachedLines(Map<String, NavigableMap<Integer, Integer>> numbers) {
    private static final ClassDesc HERE = ClassDesc.of(ReachedLines.class.getName());
    private static final MethodTypeDesc TAKES_NUMBER =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

    /** The number of lines that are run when a class is loaded, for all runs together. */
    private static final int ONCE = 0;

    private static final int MOST = 1 << 17;

    /** By number; there is one run at a time, in one thread, and lines are run very often. */
    private static final boolean[] REACHED = new boolean[MOST];

    static ReachedLines none() {
        return new ReachedLines(new HashMap<>());
    }

    /** Called by the code that is watched. */
    public static void reach(int number) {
        REACHED[number] = true;
    }

    /** All that were reached since the last call. */
    static BitSet taken() {
        BitSet all = new BitSet();
        IntStream.range(0, MOST).filter(it -> REACHED[it]).forEach(all::set);
        Arrays.fill(REACHED, false);
        return all;
    }

    /** The class with a call at each of its lines. */
    byte[] watched(byte[] bytes, ClassLoader classes) {
        ClassFile file =
                ClassFile.of(
                        ClassFile.ClassHierarchyResolverOption.of(
                                ClassHierarchyResolver.ofResourceParsing(classes)
                                        .orElse(ClassHierarchyResolver.defaultResolver())));
        ClassModel read = file.parse(bytes);
        NavigableMap<Integer, Integer> lines =
                numbers.computeIfAbsent(source(read), _ -> new TreeMap<>());
        read.methods().stream()
                .filter(ReachedLines::isRunOnce)
                .flatMap(it -> it.code().stream())
                .flatMap(CodeModel::elementStream)
                .filter(LineNumber.class::isInstance)
                .forEach(it -> lines.put(((LineNumber) it).line(), ONCE));
        CodeTransform calls =
                (code, element) -> {
                    code.with(element);
                    if (element instanceof LineNumber line) {
                        code.loadConstant(lines.computeIfAbsent(line.line(), _ -> next()));
                        code.invokestatic(HERE, "reach", TAKES_NUMBER);
                    }
                };
        return file.transformClass(
                read, ClassTransform.transformingMethodBodies(it -> !isRunOnce(it), calls));
    }

    private static boolean isRunOnce(MethodModel method) {
        return method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME);
    }

    private int next() {
        return numbers.values().stream().mapToInt(Map::size).sum() + 1;
    }

    private static String source(ClassModel read) {
        String name = read.thisClass().asInternalName();
        return name.substring(0, name.lastIndexOf('/') + 1)
                + read.findAttribute(Attributes.sourceFile())
                        .orElseThrow()
                        .sourceFile()
                        .stringValue();
    }

    /** Whether a run has reached what the mutant changes, or the line before it. */
    boolean isReached(ChangedLines changed, BitSet reached) {
        NavigableMap<Integer, Integer> lines = numbers.get(changed.source());
        if (lines == null) {
            return false;
        }
        Integer first = lines.floorKey(changed.first());
        return lines.subMap(first == null ? 0 : first, true, changed.last(), true).values().stream()
                .anyMatch(it -> it == ONCE || reached.get(it));
    }
}
