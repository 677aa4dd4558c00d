// SPDX-License-Identifier: Apache-2.0
/** Tests of a relay's log. */
@NullMarked
package io.outledger.relay.listener;

import org.jspecify.annotations.NullMarked;
