// SPDX-License-Identifier: Apache-2.0
package lombok;

/**
 * The one method of Lombok that flink-autoscaler calls at run time, when a request fails, without
 * bringing Lombok along: without this class every failure would read as a missing class.
 */
public final class Lombok {
    private Lombok() {}

    /** Throws {@code thrown}, checked or not. */
    public static RuntimeException sneakyThrow(Throwable thrown) {
        return Lombok.<RuntimeException>rethrow(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // that is the trick
    private static <T extends Throwable> RuntimeException rethrow(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
