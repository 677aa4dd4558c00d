// SPDX-License-Identifier: Apache-2.0
/** Histories are tested for what a killed writer leaves behind. */
@NullMarked
package io.outledger.chaos.history;

import org.jspecify.annotations.NullMarked;
