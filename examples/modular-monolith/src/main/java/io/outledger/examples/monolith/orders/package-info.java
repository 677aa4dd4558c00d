// SPDX-License-Identifier: Apache-2.0
/** The module that takes orders and knows how far each has come. */
@NullMarked
package io.outledger.examples.monolith.orders;

import org.jspecify.annotations.NullMarked;
