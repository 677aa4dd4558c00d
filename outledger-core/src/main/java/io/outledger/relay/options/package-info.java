// SPDX-License-Identifier: Apache-2.0
/** What an application decides about a relay: its routes and its options. */
@NullMarked
package io.outledger.relay.options;

import org.jspecify.annotations.NullMarked;
