/** Cron jobs: a FlinkDeployment that is the template of runs, each a FlinkDeployment of its own. */
@NullMarked
package io.sluice.operator.cron;

import org.jspecify.annotations.NullMarked;
