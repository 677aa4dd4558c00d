// SPDX-License-Identifier: Apache-2.0
/**
 * The outbox in Spring's transactions. {@link io.outledger.spring.SpringTransactions} is told when
 * transactions of a data source begin and commit; {@link io.outledger.spring.SpringOutbox} is what
 * application code appends to.
 */
@NullMarked
package io.outledger.spring;

import org.jspecify.annotations.NullMarked;
