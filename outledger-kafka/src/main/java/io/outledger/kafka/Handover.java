// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands what came from a broker to user code, and says how far it got. Knows nothing of the broker.
 * Whatever user code throws is a failure of the record and never the end of its handler, and an
 * interrupt is for the batch at hand alone.
 *
 * @param <P> the broker's places
 */
final class Handover<P> {

  /** Notes a record that cannot be received, so that it may be passed over. */
  @FunctionalInterface
  interface SetAside<P> {
    void setAside(Incoming<P> unreadable) throws Exception;
  }

  /** How many records from the start are done with, and what stopped the next one. */
  record Handed(int count, @Nullable Throwable failure) {}

  private final BatchHandler handler;
  private final SetAside<P> setAside;

  Handover(BatchHandler handler, SetAside<P> setAside) {
    this.handler = handler;
    this.setAside = setAside;
  }

  /** Hands over the messages at the start of a list, or sets aside its first record. */
  Handed hand(List<Incoming<P>> records) {
    List<Received> batch = new ArrayList<>(records.size());
    for (Incoming<P> incoming : records) {
      if (incoming.message() == null) {
        break;
      }
      batch.add(incoming.message());
    }
    try {
      if (batch.isEmpty()) {
        setAside.setAside(records.get(0));
        return new Handed(1, null);
      }
      handler.handle(List.copyOf(batch));
      return new Handed(batch.size(), null);
    } catch (ReceiveFailedException e) {
      return new Handed(Math.max(0, Math.min(e.done(), batch.size() - 1)), e);
    } catch (Throwable e) { // an Error, too, and what is thrown without being declared
      return new Handed(0, e);
    } finally {
      // Forgets an interrupt: left standing it would stop the next call to the broker.
      Thread.interrupted();
    }
  }
}
