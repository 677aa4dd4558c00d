// SPDX-License-Identifier: Apache-2.0
/** Tests of how an owner reads the in-memory ledger. */
@NullMarked
package io.outledger.relay.reading;

import org.jspecify.annotations.NullMarked;
