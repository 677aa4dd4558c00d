// SPDX-License-Identifier: Apache-2.0
/** Orders, and the saga that takes each to its end. */
@NullMarked
package io.outledger.examples.springshop.orders;

import org.jspecify.annotations.NullMarked;
