// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is left of an order, as the tables say.
 *
 * @param key which order
 * @param effects what its steps have written, in any order
 * @param messages the types of its messages in the ledger, in any order
 * @param state the state of its saga; null where that has no row
 * @param scheduled how many of its messages wait for their time
 * @param parked how many of its messages are parked
 */
record OrderTrail(
    String key,
    List<String> effects,
    List<String> messages,
    @Nullable String state,
    int scheduled,
    int parked) {}
