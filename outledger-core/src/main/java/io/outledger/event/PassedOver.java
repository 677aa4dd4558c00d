// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Given;
import io.outledger.Printable;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the messages that were passed over because their type is not registered, and says so once
 * for each type in the log. Memory is bounded: beyond {@value #TYPES_MAX} types the rest is counted
 * together. Thread-safe.
 */
public final class PassedOver {

  /** The most types that are counted one by one. */
  public static final int TYPES_MAX = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(PassedOver.class);
  private static final String OTHERS = "others";

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

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
    Given.check("reader", reader);
    Given.check("type", type);
    String name = Printable.value(reader) + ": " + Printable.value(type) + " v" + version;
    LongAdder count = counts.get(name);
    if (count == null) {
      String counted = counts.size() < TYPES_MAX ? name : OTHERS;
      count = counts.computeIfAbsent(counted, PassedOver::begin);
    }
    count.increment();
  }

  /**
   * Returns how many deliveries were passed over since the start, by reader and type, such as
   * {@code mail: order.cancelled v1}.
   */
  public Map<String, Long> counts() {
    Map<String, Long> now = new TreeMap<>();
    counts.forEach((name, count) -> now.put(name, count.sum()));
    return now;
  }

  private static LongAdder begin(String name) {
    LOG.warn(
        "skipping messages of an unregistered type ({}); register the type, or call"
            + " refuseUnregistered() to make such messages fail",
        name);
    return new LongAdder();
  }
}
