// SPDX-License-Identifier: Apache-2.0
/**
 * Orders, their events and a handler with plain JDBC. Start reading at {@link
 * io.outledger.examples.plainjdbc.PlainJdbc}.
 */
@NullMarked
package io.outledger.examples.plainjdbc;

import org.jspecify.annotations.NullMarked;
