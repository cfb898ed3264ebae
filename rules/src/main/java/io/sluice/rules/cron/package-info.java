/** When a cron job's runs begin, as an annotation says. */
@NullMarked
package io.sluice.rules.cron;

import org.jspecify.annotations.NullMarked;
