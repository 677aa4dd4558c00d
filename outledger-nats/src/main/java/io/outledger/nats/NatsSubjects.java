// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import java.util.Arrays;

/** The rules of NATS for the names of subjects that are published to. */
final class NatsSubjects {

  private NatsSubjects() {}

  /**
   * Returns a subject.
   *
   * @throws InvalidMessageException {@code OUT-014} if nothing can be published to it
   */
  static String checked(String subject) {
    boolean isPlain = subject.chars().allMatch(c -> c > ' ' && c < 0x7f);
    boolean isWhole =
        Arrays.stream(subject.split("\\.", -1))
            .noneMatch(token -> token.isEmpty() || token.equals("*") || token.equals(">"));
    if (!isPlain || !isWhole || subject.startsWith("$")) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "'"
              + subject
              + "' is not a NATS subject: it must be tokens of printable ASCII separated by dots,"
              + " none of them empty, '*' or '>', and not begin with '$'; map the topic with"
              + " NatsPublisher.subjects");
    }
    return subject;
  }
}
