// SPDX-License-Identifier: Apache-2.0
/**
 * Breaking Outledger on purpose: what a run wrote down ({@code history}), the verdict on it ({@code
 * checker}), a simulation on one thread ({@code simulation}) and real processes that are really
 * killed ({@code run}, {@code fault}, {@code shop}, {@code roles}). Nothing here may ever judge by
 * what the relay believes: verdicts come from what writers, the database, the broker's reader and
 * the effects say.
 */
@NullMarked
package io.outledger.chaos;

import org.jspecify.annotations.NullMarked;
