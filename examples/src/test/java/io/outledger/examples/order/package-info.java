// SPDX-License-Identifier: Apache-2.0
/** Tests of the order service. */
@NullMarked
package io.outledger.examples.order;

import org.jspecify.annotations.NullMarked;
