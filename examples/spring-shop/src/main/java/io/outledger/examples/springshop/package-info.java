// SPDX-License-Identifier: Apache-2.0
/** A shop whose services talk by messages alone. */
@NullMarked
package io.outledger.examples.springshop;

import org.jspecify.annotations.NullMarked;
