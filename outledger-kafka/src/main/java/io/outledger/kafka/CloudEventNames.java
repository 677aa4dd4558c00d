// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import java.util.Locale;
import java.util.Set;

/** The names of CloudEvents 1.0 as Kafka headers, in one place for both directions. */
final class CloudEventNames {

  static final String PREFIX = "ce_";
  static final String SPEC_VERSION = "ce_specversion";
  static final String ID = "ce_id";
  static final String SOURCE = "ce_source";
  static final String TYPE = "ce_type";
  static final String TIME = "ce_time";

  /** The sequence extension: the message's position in the ledger. */
  static final String SEQUENCE = "ce_sequence";

  /** An extension of our own: the version of the type, a whole number. */
  static final String DATA_VERSION = "ce_dataversion";

  /** The partitioning extension: the message's key. */
  static final String PARTITION_KEY = "ce_partitionkey";

  static final String CONTENT_TYPE = "content-type";
  static final String STRUCTURED = "application/cloudevents";
  static final String TRACE_PARENT = "traceparent";
  static final String TRACE_STATE = "tracestate";

  private static final Set<String> OURS =
      Set.of(
          SPEC_VERSION,
          ID,
          SOURCE,
          TYPE,
          TIME,
          SEQUENCE,
          DATA_VERSION,
          PARTITION_KEY,
          PREFIX + TRACE_PARENT,
          PREFIX + TRACE_STATE,
          // Binary mode has it as content-type; two of them could disagree.
          PREFIX + "datacontenttype");

  private CloudEventNames() {}

  /** Says whether a header is written by the publisher, in whatever case. */
  static boolean isOurs(String name) {
    return name.regionMatches(true, 0, PREFIX, 0, PREFIX.length())
        && OURS.contains(name.toLowerCase(Locale.ROOT));
  }

  /** Says whether a header carries the trace context. */
  static boolean isTrace(String name) {
    return name.equals(TRACE_PARENT) || name.equals(TRACE_STATE);
  }
}
