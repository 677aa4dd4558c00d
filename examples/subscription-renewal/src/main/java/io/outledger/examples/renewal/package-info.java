// SPDX-License-Identifier: Apache-2.0
/**
 * Subscriptions, their renewal and its payment: most patterns of docs/events.md in one domain.
 * Start reading at {@link io.outledger.examples.renewal.Subscriptions}.
 */
@NullMarked
package io.outledger.examples.renewal;

import org.jspecify.annotations.NullMarked;
