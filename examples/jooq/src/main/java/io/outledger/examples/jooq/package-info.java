// SPDX-License-Identifier: Apache-2.0
/** Events in jOOQ transactions. Start reading at {@link io.outledger.examples.jooq.Orders}. */
@NullMarked
package io.outledger.examples.jooq;

import org.jspecify.annotations.NullMarked;
