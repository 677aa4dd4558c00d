// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Printable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the fields in payloads that are ignored because the event's class does not have them, and
 * names the first ones of each type in the log. Bounded like {@link PassedOver}. Thread-safe.
 */
final class UnknownFields {

  private static final Logger LOG = LoggerFactory.getLogger(UnknownFields.class);

  /** A stranger's payload may have thousands. */
  private static final int TOLD_MAX = 5;

  private final Map<String, AtomicInteger> told = new ConcurrentHashMap<>();
  private final NamedCounts counts = new NamedCounts(this::tell);

  /**
   * Counts a field.
   *
   * @param type the message's type, as it came
   * @param version the type's version
   * @param field the field, as the serializer names it
   */
  void count(String type, int version, String field) {
    counts.count(Printable.value(type) + " v" + version + ": " + Printable.value(field));
  }

  private void tell(String name) {
    String type = name.substring(0, name.indexOf(": ") + 1);
    int number = told.computeIfAbsent(type, each -> new AtomicInteger()).incrementAndGet();
    if (number <= TOLD_MAX) {
      LOG.warn(
          "ignoring a field of payloads that the event's class does not have ({}). That is harmless"
              + " if a newer version of the application has added it. If the field was renamed, its"
              + " value is lost here: add the former name to the new field, with Jackson by"
              + " @JsonAlias{}",
          name,
          number < TOLD_MAX ? "" : ". Further fields of this type are only counted");
    }
  }

  Map<String, Long> counts() {
    return counts.counts();
  }
}
