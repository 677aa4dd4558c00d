// SPDX-License-Identifier: Apache-2.0
/** Payments, and their refund. */
@NullMarked
package io.outledger.examples.springshop.payments;

import org.jspecify.annotations.NullMarked;
