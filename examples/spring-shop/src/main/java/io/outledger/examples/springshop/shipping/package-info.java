// SPDX-License-Identifier: Apache-2.0
/** Shipments. */
@NullMarked
package io.outledger.examples.springshop.shipping;

import org.jspecify.annotations.NullMarked;
