/** What a library expects of Lombok; nothing of ours uses it. */
@NullMarked
package lombok;

import org.jspecify.annotations.NullMarked;
