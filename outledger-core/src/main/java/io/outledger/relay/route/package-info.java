// SPDX-License-Identifier: Apache-2.0
/**
 * The routes of an owner: dispatching, sending, breakers, parking and retries.
 *
 * <p>Internal: its types are public for {@link io.outledger.relay} only.
 */
@NullMarked
package io.outledger.relay.route;

import org.jspecify.annotations.NullMarked;
