// SPDX-License-Identifier: Apache-2.0
/**
 * A run: one fault after the other from a seed, then the verdict on what the database, the broker
 * and the effects say. Behind {@code ./outledger chaos}, and behind the kill test of {@code
 * ./verify}.
 */
@NullMarked
package io.outledger.chaos.run;

import org.jspecify.annotations.NullMarked;
