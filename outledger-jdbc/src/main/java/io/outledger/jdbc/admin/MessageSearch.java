// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of looking for a message by its id. Ids have no index: a UUID of version 7 tells when
 * it was made, and only positions of about that time are looked at.
 *
 * @param found the message; null if it is not in the window
 * @param from the first position of the window
 * @param to the last position of the window; below {@code from} if the ledger is empty
 */
public record MessageSearch(@Nullable MessageState found, long from, long to) {}
