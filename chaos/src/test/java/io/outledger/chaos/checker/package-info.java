// SPDX-License-Identifier: Apache-2.0
/**
 * The checker is tested with histories that each hold one planted anomaly, and with a clean one.
 */
@NullMarked
package io.outledger.chaos.checker;

import org.jspecify.annotations.NullMarked;
