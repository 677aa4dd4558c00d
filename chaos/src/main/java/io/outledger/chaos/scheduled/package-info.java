// SPDX-License-Identifier: Apache-2.0
/**
 * Scheduled messages under {@code kill -9}: processes that schedule, cancel, replace and move them
 * are killed again and again, and then each {@link Promise} is asked of the tables. Behind {@code
 * chaos/scheduled}.
 */
@NullMarked
package io.outledger.chaos.scheduled;

import org.jspecify.annotations.NullMarked;
