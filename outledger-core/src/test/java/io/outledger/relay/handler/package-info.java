// SPDX-License-Identifier: Apache-2.0
/** Tests of handlers inside the application. */
@NullMarked
package io.outledger.relay.handler;

import org.jspecify.annotations.NullMarked;
