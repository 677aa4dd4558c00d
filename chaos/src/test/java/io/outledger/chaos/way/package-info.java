// SPDX-License-Identifier: Apache-2.0
/** The whole way of a message, over a real database and a real broker, where nothing is killed. */
@NullMarked
package io.outledger.chaos.way;

import org.jspecify.annotations.NullMarked;
