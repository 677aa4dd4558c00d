// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.inbox.InboxId;
import io.outledger.inbox.Received;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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
   * @param behind what is known of those behind that one
   */
  record Taken(int count, @Nullable Throwable failure, @Nullable Duration delay, Behind behind) {

    Taken(int count, @Nullable Throwable failure, @Nullable Duration delay) {
      this(count, failure, delay, Behind.NOTHING);
    }

    Taken with(Behind known) {
      return new Taken(count, failure, delay, known);
    }

    static Taken all(int count) {
      return new Taken(count, null, null);
    }

    static Taken stopped(int count, Throwable failure) {
      return new Taken(count, failure, null);
    }
  }

  /**
   * What is known of the messages behind one that failed.
   *
   * @param done those that are done with, before their turn
   * @param isNews whether some of them have come to that just now: no need to wait for long before
   *     the one that failed is tried again
   */
  record Behind(Set<InboxId> done, boolean isNews) {

    static final Behind NOTHING = new Behind(Set.of(), false);
  }

  /**
   * What waits of a stream, in order.
   *
   * @param batch what may be processed together, one or more
   * @param behind what may be tried before its turn, to find out who is to blame
   */
  record Waiting(List<Received> batch, List<Received> behind) {}

  /**
   * Takes messages of one stream. Throws nothing.
   *
   * @param stopping says whether the receiver is closing: then the message at hand is the last
   */
  Taken take(Waiting waiting, BooleanSupplier stopping);

  /** Returns whether more of a stream is of use, to compare with, while these wait. */
  boolean wantsMore(List<Received> waiting, Behind known);
}
