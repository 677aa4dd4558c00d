// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections to a broker that refuses the second message that it is sent, and refuses it again
 * when it comes alone. Then it has room. Its first commit waits for the test, so that what is
 * published meanwhile is one batch.
 */
final class RefusedSends extends OddBroker {

  private final CountDownLatch isReached = new CountDownLatch(1);
  private final CountDownLatch mayCommit = new CountDownLatch(1);
  private final AtomicInteger sends = new AtomicInteger();
  private final JMSException refusal;

  RefusedSends(ConnectionFactory real, JMSException refusal) {
    super(real);
    this.refusal = refusal;
  }

  /** Waits until the first commit has been asked for. */
  void awaitFirst() throws InterruptedException {
    isReached.await();
  }

  void letCommit() {
    mayCommit.countDown();
  }

  @Override
  void before(String method) throws Exception {
    if (method.equals("commit")) {
      isReached.countDown();
      mayCommit.await();
    }
    if (method.equals("send")) {
      int number = sends.incrementAndGet();
      if (number == 2 || number == 3) {
        throw refusal;
      }
    }
  }
}
