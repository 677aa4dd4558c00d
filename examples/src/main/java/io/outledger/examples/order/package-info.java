// SPDX-License-Identifier: Apache-2.0
/**
 * The order service: an HTTP API that makes an order and its event in one transaction, once for
 * each Idempotency-Key. Start reading at {@link io.outledger.examples.order.OrderService}.
 */
@NullMarked
package io.outledger.examples.order;

import org.jspecify.annotations.NullMarked;
