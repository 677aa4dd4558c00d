// SPDX-License-Identifier: Apache-2.0
/** Handlers inside the application, and the publisher that calls them. */
@NullMarked
package io.outledger.relay.handler;

import org.jspecify.annotations.NullMarked;
