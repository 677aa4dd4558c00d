// SPDX-License-Identifier: Apache-2.0
/**
 * What administration returns and is given: where subscriptions stand, and what is parked. Values
 * alone; {@link io.outledger.jdbc.spi} and the packages above use them.
 */
@NullMarked
package io.outledger.jdbc.admin;

import org.jspecify.annotations.NullMarked;
