// SPDX-License-Identifier: Apache-2.0
/**
 * What a run wrote down while it happened, as lines of text that survive the {@code kill -9} of
 * whoever writes them. It exists so that one checker can judge every kind of test.
 */
@NullMarked
package io.outledger.chaos.history;

import org.jspecify.annotations.NullMarked;
