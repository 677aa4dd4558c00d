// SPDX-License-Identifier: Apache-2.0
/** The consumer's memory of what it has processed, so that an effect happens once. */
@NullMarked
package io.outledger.inbox;

import org.jspecify.annotations.NullMarked;
