// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One of the reasons for which a relay keeps messages back.
 *
 * @param kind what sort of reason
 * @param route whose messages; empty for a subscription with one publisher, or for all routes
 * @param topic the topic of the messages; null if it is not about one
 * @param type the type of the messages; null if it is not about one
 * @param key the ordering key of the messages; null if it is not about one
 * @param since since when, by the database's clock; to about a second
 * @param text what happened, for people
 */
public record Cause(
    Kind kind,
    String route,
    @Nullable String topic,
    @Nullable String type,
    @Nullable String key,
    Instant since,
    String text) {

  /** What sort of reason it is. */
  public enum Kind {
    /** The destination cannot be reached. */
    OUTAGE,
    /** A message has had no outcome for long. */
    OVERDUE,
    /** Messages of a topic and type are rejected one after the other, so they are paused. */
    BREAKER,
    /** A handler or type is declared that this instance does not have: its messages are parked. */
    LACKING,
    /** An operator has paused them. */
    PAUSE,
    /** Too many positions are open, so nothing more is read. */
    OPEN_POSITIONS,
    /** Too many keys wait for parked messages, so nothing more is read. */
    WAITING_KEYS,
    /** A reason of a newer version. */
    OTHER
  }
}
