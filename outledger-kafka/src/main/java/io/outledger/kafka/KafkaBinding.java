// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.CloudEventWriter;
import io.outledger.cloudevents.ReservedHeaders;
import org.apache.kafka.common.header.Header;

/** CloudEvents' protocol binding for Kafka: attributes are headers with a prefix, in UTF-8. */
final class KafkaBinding {

  private static final String PREFIX = "ce_";

  /** Kafka's own class of headers is internal to its client. */
  private record WrittenHeader(String key, @SuppressWarnings("ArrayRecordComponent") byte[] value)
      implements Header {}

  private KafkaBinding() {}

  /** Returns a writer, for one thread, of the headers of messages of a source. */
  static CloudEventWriter<Header> writer(String source) {
    return new CloudEventWriter<>(PREFIX, source, ReservedHeaders.NONE, WrittenHeader::new);
  }

  static CloudEventReader reader() {
    return new CloudEventReader(PREFIX);
  }
}
