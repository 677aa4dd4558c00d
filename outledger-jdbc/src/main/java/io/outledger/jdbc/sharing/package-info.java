// SPDX-License-Identifier: Apache-2.0
/**
 * How a subscription's partitions are shared by processes, and what becomes of them where their
 * number changes. What decides is here, without a thread and without SQL, so that simulations run
 * what is shipped; nobody else uses this.
 */
@NullMarked
package io.outledger.jdbc.sharing;

import org.jspecify.annotations.NullMarked;
