// SPDX-License-Identifier: Apache-2.0
/**
 * Orders, their events and a handler in the transactions of Quarkus. Start reading at {@link
 * io.outledger.examples.quarkus.OrderService}.
 */
@NullMarked
package io.outledger.examples.quarkus;

import org.jspecify.annotations.NullMarked;
