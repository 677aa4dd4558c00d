// SPDX-License-Identifier: Apache-2.0
/** The module that takes payments. */
@NullMarked
package io.outledger.examples.monolith.payments;

import org.jspecify.annotations.NullMarked;
