// SPDX-License-Identifier: Apache-2.0
/**
 * Where messages go. A publisher classifies its failures; the relay decides what follows from them.
 */
@NullMarked
package io.outledger.publish;

import org.jspecify.annotations.NullMarked;
