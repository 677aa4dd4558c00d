// SPDX-License-Identifier: Apache-2.0
/**
 * What every part of a relay works with: its surroundings, and the protection against the code of
 * users.
 *
 * <p>{@link io.outledger.relay.context.Wakeup} and {@link io.outledger.relay.context.ReadAhead} are
 * for those who run a relay. The other types are internal: public for the relay's packages only.
 */
@NullMarked
package io.outledger.relay.context;

import org.jspecify.annotations.NullMarked;
