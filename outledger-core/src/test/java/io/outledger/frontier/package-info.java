// SPDX-License-Identifier: Apache-2.0
/** Holds the frontier against naive models of it, from seeds. */
@NullMarked
package io.outledger.frontier;

import org.jspecify.annotations.NullMarked;
