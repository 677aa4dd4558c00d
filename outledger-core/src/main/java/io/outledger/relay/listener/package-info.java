// SPDX-License-Identifier: Apache-2.0
/** A relay's transitions, as a listener is told them, and their words in the log. */
@NullMarked
package io.outledger.relay.listener;

import org.jspecify.annotations.NullMarked;
