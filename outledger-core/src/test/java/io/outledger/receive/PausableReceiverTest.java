// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PausableReceiverTest {

  private final List<Stay> stays = new CopyOnWriteArrayList<>();
  private final Semaphore opened = new Semaphore(0);
  private boolean isRefused;

  private final PausableReceiver receiver = new PausableReceiver(this::open);

  @Test
  void aPausedOneIsNotAtItsBrokerAndAResumedOneIsAgain() {
    receiver.pause();
    receiver.pause();
    assertThat(receiver.isRunning()).isFalse();
    receiver.resume();
    receiver.resume();
    assertThat(receiver.isRunning()).isTrue();
    assertThat(stays).hasSize(2);
    assertThat(stays.get(0).isRunning()).isFalse();
  }

  @Test
  void oneThatWasNotPausedIsNotOpenedAgain() {
    receiver.resume();
    assertThat(stays).hasSize(1);
  }

  @Test
  void aClosedOneStaysClosedWhetherItWasPausedOrNot() {
    receiver.pause();
    receiver.close();
    receiver.resume();
    assertThat(stays).hasSize(1);
    assertThat(receiver.isRunning()).isFalse();
  }

  @Test
  void oneThatCannotBeOpenedAgainIsStillPausedAndTriesLater() {
    receiver.pause();
    isRefused = true;
    assertThatThrownBy(receiver::resume).hasMessage("refused");
    isRefused = false;
    receiver.resume();
    assertThat(receiver.isRunning()).isTrue();
  }

  @Test
  void oneOfItsHandlersThatResumesItIsDoneBeforeTheNextStayBegins() throws Exception {
    Stay first = stays.get(0);
    first.isAtWork = true; // a handler calls: its own receiver does not end before it returns
    receiver.pause();
    receiver.resume();
    assertThat(stays).hasSize(1);
    first.isAtWork = false;
    first.ended.countDown();
    opened.acquire();
    assertThat(stays).hasSize(2);
  }

  private OpenReceiver open() {
    if (isRefused) {
      throw new IllegalStateException("refused");
    }
    Stay stay = new Stay();
    stays.add(stay);
    opened.release(stays.size() > 1 ? 1 : 0);
    return stay;
  }

  private static final class Stay implements OpenReceiver {

    private final Thread handler = Thread.currentThread();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isAtWork;
    private volatile boolean isOpen = true;

    @Override
    public boolean isRunning() {
      return isOpen || isAtWork;
    }

    @Override
    public @Nullable Throwable failure() {
      return null;
    }

    @Override
    public void close() {
      isOpen = false;
      if (isAtWork && Thread.currentThread() != handler) {
        try {
          ended.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }
}
