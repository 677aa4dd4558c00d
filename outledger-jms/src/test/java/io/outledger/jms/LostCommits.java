// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Connections to a broker of which the first commit fails, at a moment that the test chooses: it is
 * not known whether the broker has it. All that comes later is as the broker answers it.
 */
final class LostCommits extends OddBroker {

  private final CountDownLatch isReached = new CountDownLatch(1);
  private final CountDownLatch isLost = new CountDownLatch(1);
  private final AtomicBoolean isFirst = new AtomicBoolean(true);

  LostCommits(ConnectionFactory real) {
    super(real);
  }

  /** Waits until the first commit has been asked for. */
  void awaitFirst() throws InterruptedException {
    isReached.await();
  }

  void loseFirst() {
    isLost.countDown();
  }

  @Override
  void before(String method) throws Exception {
    if (method.equals("commit") && isFirst.getAndSet(false)) {
      isReached.countDown();
      isLost.await();
      throw new JMSException("the connection was lost");
    }
  }
}
