// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.cloudevents.CloudEventReader;
import io.outledger.cloudevents.CloudEventWriter;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.cloudevents.PercentEncoding;
import io.outledger.cloudevents.ReservedHeaders;
import java.util.Arrays;

/**
 * CloudEvents' protocol binding for NATS (draft 1.0.3): attributes are headers with the prefix
 * {@code ce-}, whose values are percent-encoded as for HTTP. So are those of a message's own
 * headers: NATS headers are ASCII.
 */
final class NatsBinding {

  static final String PREFIX = "ce-";
  static final String CONTENT_TYPE = PREFIX + "datacontenttype";

  /** By what a stream recognises a message that it has already. */
  static final String MESSAGE_ID = "Nats-Msg-Id";

  /** Instructions to a server, as to delete all older messages, and what one wrote itself. */
  static final ReservedHeaders RESERVED = ReservedHeaders.in("NATS", "Nats-*");

  /** A stream stores the length of a message's headers in 16 bits. */
  private static final int HEADER_BYTES_MAX = 65_535;

  /** A header as NATS carries it. */
  record Written(String name, String value) {}

  private NatsBinding() {}

  /** Returns a writer, for one thread, of the headers of messages of a source. */
  static CloudEventWriter<Written> writer(String source) {
    return new CloudEventWriter<>(PREFIX, source, RESERVED, NatsBinding::written);
  }

  static CloudEventReader reader() {
    return new CloudEventReader(PREFIX);
  }

  private static Written written(String name, byte[] utf8) {
    String own = name.equals(CloudEvents.CONTENT_TYPE) ? CONTENT_TYPE : name;
    return new Written(own, PercentEncoding.encode(utf8));
  }

  /**
   * Returns what a stream recognises a message by. A stream looks at nothing else: of a message
   * that two routes lead to two of its subjects it would drop the second; and so it would of two
   * messages of one id, whose topics are different and whose subject is the same.
   */
  static String messageId(Message message, String subject) {
    String id = message.id().toString();
    String named = id + ':' + message.topic();
    return subject.equals(message.topic()) ? named : named + ':' + subject;
  }

  /**
   * Checks the size of a message's headers, as they are written.
   *
   * @throws InvalidMessageException {@code OUT-014} if no stream takes them, whatever its limits
   */
  static void checkSize(int headerBytes) {
    if (headerBytes > HEADER_BYTES_MAX) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "the headers have "
              + headerBytes
              + " bytes, percent-encoded, more than the "
              + HEADER_BYTES_MAX
              + " that a stream of NATS takes; send less in headers");
    }
  }

  /**
   * Checks the name of a subject to publish to, by the rules of NATS.
   *
   * @throws InvalidMessageException {@code OUT-014} if nothing can be published to it
   */
  static String subject(String name) {
    boolean isPlain = name.chars().allMatch(c -> c > ' ' && c < 0x7f);
    boolean isWhole =
        Arrays.stream(name.split("\\.", -1))
            .noneMatch(token -> token.isEmpty() || token.equals("*") || token.equals(">"));
    if (!isPlain || !isWhole || name.startsWith("$")) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "'"
              + name
              + "' is not a NATS subject: it must be tokens of printable ASCII separated by dots,"
              + " none of them empty, '*' or '>', and not begin with '$'; map the topic with"
              + " NatsPublisher.subjects");
    }
    return name;
  }
}
