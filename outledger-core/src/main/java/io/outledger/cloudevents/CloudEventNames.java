// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import io.outledger.Require;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The names of CloudEvents 1.0 as headers of one binding, for both directions. Immutable. */
final class CloudEventNames {

  static final String STRUCTURED = "application/cloudevents";
  static final String TRACE_PARENT = "traceparent";
  static final String TRACE_STATE = "tracestate";

  private static final Set<String> OURS =
      Set.of(
          "specversion",
          "id",
          "source",
          "type",
          "time",
          "sequence",
          "dataversion",
          "partitionkey",
          TRACE_PARENT,
          TRACE_STATE,
          // Binary mode has it as content-type; two of them could disagree.
          "datacontenttype");

  final String specVersion;
  final String id;
  final String source;
  final String type;
  final String time;

  /** The sequence extension: the message's position in the ledger. */
  final String sequence;

  /** An extension of our own: the version of the type, a whole number. */
  final String dataVersion;

  /** The partitioning extension: the message's key. */
  final String partitionKey;

  /** Attributes that a message may have only once. */
  final List<String> identifying;

  private final String prefix;
  private final String traceParent;
  private final String traceState;

  CloudEventNames(String prefix) {
    this.prefix = Require.nonNull("prefix", prefix);
    specVersion = prefix + "specversion";
    id = prefix + "id";
    source = prefix + "source";
    type = prefix + "type";
    time = prefix + "time";
    sequence = prefix + "sequence";
    dataVersion = prefix + "dataversion";
    partitionKey = prefix + "partitionkey";
    traceParent = prefix + TRACE_PARENT;
    traceState = prefix + TRACE_STATE;
    identifying = List.of(specVersion, id, source, type, dataVersion);
  }

  /** Says whether a header is written by the publisher, in whatever case. */
  boolean isOurs(String name) {
    return name.regionMatches(true, 0, prefix, 0, prefix.length())
        && OURS.contains(name.substring(prefix.length()).toLowerCase(Locale.ROOT));
  }

  /** Says whether a header carries the trace context. */
  static boolean isTrace(String name) {
    return name.equals(TRACE_PARENT) || name.equals(TRACE_STATE);
  }

  /** Returns the attribute's name of a header that carries the trace context. */
  String trace(String name) {
    return name.equals(TRACE_PARENT) ? traceParent : traceState;
  }
}
