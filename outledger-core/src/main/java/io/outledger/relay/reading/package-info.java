// SPDX-License-Identifier: Apache-2.0
/**
 * How an owner reads its subscription: pages, the frontier, holes and the window.
 *
 * <p>Internal: its types are public for {@link io.outledger.relay} only.
 */
@NullMarked
package io.outledger.relay.reading;

import org.jspecify.annotations.NullMarked;
