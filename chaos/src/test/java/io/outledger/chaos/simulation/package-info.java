// SPDX-License-Identifier: Apache-2.0
/** The seeds that every build runs, and those that once failed. */
@NullMarked
package io.outledger.chaos.simulation;

import org.jspecify.annotations.NullMarked;
