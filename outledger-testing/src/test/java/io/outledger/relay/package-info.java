// SPDX-License-Identifier: Apache-2.0
/** Drives relays over the in-memory ledger, one step at a time. */
@NullMarked
package io.outledger.relay;

import org.jspecify.annotations.NullMarked;
