// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Printable;
import io.outledger.Require;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the messages that were passed over because their type is not registered, and says so once
 * for each type in the log. Memory is bounded: beyond {@value #TYPES_MAX} types the rest is counted
 * together. Thread-safe.
 */
public final class PassedOver {

  /** The most types that are counted one by one. */
  public static final int TYPES_MAX = NamedCounts.NAMES_MAX;

  private static final Logger LOG = LoggerFactory.getLogger(PassedOver.class);

  private final NamedCounts counts =
      new NamedCounts(
          name ->
              LOG.warn(
                  "skipping messages of an unregistered type ({}); register the type, add the name"
                      + " to the type that it was renamed to with formerly(…), in Spring"
                      + " @OutboxEvent(formerly = …); in Java, refuseUnregistered() makes such"
                      + " messages fail",
                  name));

  /** Creates it, with nothing counted. */
  public PassedOver() {}

  /**
   * Counts a message.
   *
   * @param reader the handler or consumer that passed it over, such as {@code mail}
   * @param type the message's type, as it came
   * @param version the type's version
   */
  public void count(String reader, String type, int version) {
    Require.nonNull("reader", reader);
    Require.nonNull("type", type);
    counts.count(Printable.value(reader) + ": " + Printable.value(type) + " v" + version);
  }

  /**
   * Returns how many deliveries were passed over since the start, by reader and type, such as
   * {@code mail: order.cancelled v1}.
   */
  public Map<String, Long> counts() {
    return counts.counts();
  }
}
