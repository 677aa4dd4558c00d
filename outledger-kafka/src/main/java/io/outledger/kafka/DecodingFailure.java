// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SerializationException;

/** Tells whether a poll may have failed because of a record. */
final class DecodingFailure {

  private DecodingFailure() {}

  /**
   * Says whether a record that cannot be decoded here may have caused a failure. For one that is
   * damaged Kafka throws a plain exception whose cause tells what is wrong with it; everything that
   * it says of brokers, groups and rights has a class of its own, or no such cause. Too little
   * memory, or a codec that is missing, is an {@link Error}.
   */
  static boolean isPossible(Throwable failure) {
    if (!(failure instanceof KafkaException)) {
      return true;
    }
    return failure instanceof SerializationException
        || (isPlain(failure) && failure.getCause() instanceof KafkaException);
  }

  /** Says whether Kafka has no class for a failure: nobody knows whether its consumer continues. */
  static boolean isPlain(Throwable failure) {
    return failure.getClass() == KafkaException.class;
  }
}
