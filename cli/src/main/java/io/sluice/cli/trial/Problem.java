// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

/**
 * Why a trial cannot begin, or cannot be removed.
 *
 * @param what is wrong, as a sentence without a full stop
 * @param remedy what to do about it
 */
record Problem(String what, String remedy) {}
