// SPDX-License-Identifier: Apache-2.0
/**
 * Where messages go. A publisher reports what became of each message; the relay decides who is to
 * blame, and what follows.
 */
@NullMarked
package io.outledger.publish;

import org.jspecify.annotations.NullMarked;
