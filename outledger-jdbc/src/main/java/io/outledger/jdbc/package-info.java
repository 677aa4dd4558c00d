// SPDX-License-Identifier: Apache-2.0
/**
 * What applications and operators use: the outbox, relays, inboxes, retention and administration of
 * one database. What a database brings is in {@link io.outledger.jdbc.spi}. SQLException never
 * leaves this package.
 */
@NullMarked
package io.outledger.jdbc;

import org.jspecify.annotations.NullMarked;
