// SPDX-License-Identifier: Apache-2.0
/**
 * The interface of applications and operators: the outbox, relays, inboxes, retention and
 * administration of one database. Database modules implement {@link io.outledger.jdbc.spi}.
 * SQLException never leaves this package.
 */
@NullMarked
package io.outledger.jdbc;

import org.jspecify.annotations.NullMarked;
