// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A message as a receiver's client might deliver it. */
record Arrival(@Nullable String key, @SuppressWarnings("ArrayRecordComponent") byte[] payload)
    implements TransportMessage {

  static final Arrival ONE = new Arrival("key", new byte[] {1});

  @Override
  public String place() {
    return "message 7 of orders";
  }

  @Override
  public String topic() {
    return "orders";
  }

  @Override
  public String origin() {
    return "orders-queue";
  }

  /** The headers of a CloudEvent in Kafka's binding, with one more or another one. */
  static ReceivedHeaders headers(String name, String value) {
    Map<String, String> attributes = attributes();
    attributes.put(name, value);
    return headers(attributes);
  }

  static ReceivedHeaders headers(Map<String, String> attributes) {
    ReceivedHeaders headers = new ReceivedHeaders(ONE, ReservedHeaders.NONE);
    attributes.forEach(headers::addText);
    return headers;
  }

  /** The attributes that a CloudEvent must have. */
  static Map<String, String> attributes() {
    return new TreeMap<>(
        Map.of("ce_specversion", "1.0", "ce_id", "1", "ce_source", "/test", "ce_type", "t"));
  }
}
