// SPDX-License-Identifier: Apache-2.0
/** Tests of an owner's routes over the in-memory ledger. */
@NullMarked
package io.outledger.relay.route;

import org.jspecify.annotations.NullMarked;
