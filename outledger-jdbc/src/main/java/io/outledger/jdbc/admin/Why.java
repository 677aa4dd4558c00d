// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a message, or the messages of a key, are not published, or by when they were.
 *
 * @param sentence the answer
 * @param message the message that was asked about; null for a key, and if it was not found
 * @param reasons the evidence: one reason for each subscription or route
 * @param from the first position that was searched; 0 if nothing was
 * @param to the last position that was searched; 0 if nothing was
 */
public record Why(
    String sentence, @Nullable MessageState message, List<Reason> reasons, long from, long to) {}
