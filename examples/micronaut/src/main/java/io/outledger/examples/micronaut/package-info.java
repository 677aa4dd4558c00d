// SPDX-License-Identifier: Apache-2.0
/**
 * Orders, their events and a handler in the transactions of Micronaut. Start reading at {@link
 * io.outledger.examples.micronaut.OrderService}.
 */
@NullMarked
package io.outledger.examples.micronaut;

import org.jspecify.annotations.NullMarked;
