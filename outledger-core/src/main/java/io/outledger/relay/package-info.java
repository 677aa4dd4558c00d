// SPDX-License-Identifier: Apache-2.0
/** The loop that reads a subscription's next messages, publishes them and moves its frontier. */
@NullMarked
package io.outledger.relay;

import org.jspecify.annotations.NullMarked;
