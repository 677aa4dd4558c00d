// SPDX-License-Identifier: Apache-2.0
/**
 * The domain events of Jakarta Persistence entities, captured when Hibernate flushes. Most
 * applications need {@link io.outledger.jpa.AggregateRoot} and {@link io.outledger.jpa.JpaOutbox};
 * frameworks with transactions of their own install a {@link io.outledger.jpa.DomainEventCapture}.
 */
@NullMarked
package io.outledger.jpa;

import org.jspecify.annotations.NullMarked;
