// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.inbox.Received;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Processes messages, or parks them. For one thread. */
interface Intake {

  /**
   * The result of processing a batch.
   *
   * @param count how many messages from the start are done with
   * @param failure what stopped the next one; null where nothing did
   * @param delay how long to wait with that one; null for the stream's own back-off
   */
  record Taken(int count, @Nullable Throwable failure, @Nullable Duration delay) {

    static Taken all(int count) {
      return new Taken(count, null, null);
    }

    static Taken stopped(int count, Throwable failure) {
      return new Taken(count, failure, null);
    }
  }

  /**
   * Takes messages of one stream, in order, one or more. Throws nothing.
   *
   * @param stopping says whether the receiver is closing: then the message at hand is the last
   */
  Taken take(List<Received> batch, BooleanSupplier stopping);
}
