// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Keeps of each object what {@code trimming} makes of it. */
public final class TrimmedStore<R extends HasMetadata> extends BasicItemStore<R> {
    private final UnaryOperator<R> trimming;

    public TrimmedStore(UnaryOperator<R> trimming) {
        super(Cache::metaNamespaceKeyFunc);
        this.trimming = trimming;
    }

    @Override
    public @Nullable R put(String key, R item) {
        return super.put(key, trimming.apply(item));
    }
}
