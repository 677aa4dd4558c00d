// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Passes messages to the user's handler. Whatever the handler throws, errors included, counts as a
 * failure of the message and does not stop the receiver. An interrupt affects only the current
 * batch.
 */
final class HandlerIntake implements Intake {

  private final BatchHandler handler;

  HandlerIntake(BatchHandler handler) {
    this.handler = handler;
  }

  @Override
  public Taken take(Waiting waiting, BooleanSupplier stopping) {
    List<Received> batch = waiting.batch();
    try {
      handler.handle(List.copyOf(batch));
      return Taken.all(batch.size());
    } catch (ReceiveFailedException e) {
      return Taken.stopped(Math.max(0, Math.min(e.done(), batch.size() - 1)), e);
    } catch (Throwable e) { // an Error, too, and what is thrown without being declared
      return Taken.stopped(0, e);
    } finally {
      // Forgets an interrupt: left standing it would stop the next call to the broker.
      Thread.interrupted();
    }
  }

  /** Nothing may be handled before its turn: no inbox would know it then. */
  @Override
  public boolean wantsMore(List<Received> waiting, Behind known) {
    return false;
  }
}
