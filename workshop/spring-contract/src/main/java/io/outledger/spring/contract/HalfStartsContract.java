// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.BatchHandler;
import io.outledger.receive.BrokerReceiver;
import io.outledger.receive.OpenReceiver;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.spring.boot.InboxListener;
import io.outledger.spring.contract.shop.OrderPlaced;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A context that is stopped and started again, and whose start fails half-way. */
public abstract class HalfStartsContract {

  private static final Duration SOON = Duration.ofSeconds(20);

  /** Creates it. */
  protected HalfStartsContract() {}

  /** What a receiver of a test does: whether it can be opened, and how many are open. */
  static final class Line {

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicBoolean isCut = new AtomicBoolean();
    private final Set<Thread> closers = ConcurrentHashMap.newKeySet();
  }

  /** A receiver that receives nothing. */
  static final class LineReceiver extends BrokerReceiver<LineReceiver> {

    private final Line line;

    LineReceiver(Line line, ReceiverSettings settings) {
      super(settings);
      this.line = line;
    }

    @Override
    protected LineReceiver with(ReceiverSettings other) {
      return new LineReceiver(line, other);
    }

    @Override
    protected OpenReceiver open(BatchHandler handler) {
      if (line.isCut.get()) {
        throw new IllegalStateException("the line is cut");
      }
      line.open.incrementAndGet();
      AtomicBoolean isOpen = new AtomicBoolean(true);
      return new OpenReceiver() {
        @Override
        public boolean isRunning() {
          return isOpen.get();
        }

        @Override
        public @Nullable Throwable failure() {
          return null;
        }

        @Override
        public void close() {
          line.closers.add(Thread.currentThread());
          if (isOpen.getAndSet(false)) {
            line.open.decrementAndGet();
          }
        }
      };
    }
  }

  /** The lines of two listeners, and of a receiver that the application has started itself. */
  record Lines(Line first, Line second, Line own) {

    int open() {
      return first.open.get() + second.open.get() + own.open.get();
    }
  }

  /** An application that receives by them. */
  @Configuration(proxyBeanMethods = false)
  static class Receiving {

    /** Listens. */
    static class Listeners {

      @InboxListener("first")
      void first(OrderPlaced order) {}

      @InboxListener("second")
      void second(OrderPlaced order) {}
    }

    @Bean
    Listeners listeners() {
      return new Listeners();
    }

    @Bean
    Lines lines() {
      return new Lines(new Line(), new Line(), new Line());
    }

    @Bean
    LineReceiver first(Lines lines) {
      return new LineReceiver(lines.first(), ReceiverSettings.DEFAULT);
    }

    @Bean
    LineReceiver second(Lines lines) {
      return new LineReceiver(lines.second(), ReceiverSettings.DEFAULT);
    }

    @Bean(destroyMethod = "close")
    RunningReceiver own(Lines lines) {
      return new LineReceiver(lines.own(), ReceiverSettings.DEFAULT).start(batch -> {});
    }
  }

  private static RunningShop start() {
    return RunningShop.start(
        List.of(RecordingConfiguration.class, Receiving.class),
        "outledger.schema-initialization=always");
  }

  @Test
  void aPausedContextReceivesNothingAndEverythingOnceItGoesOn() {
    try (RunningShop shop = start()) {
      Lines lines = shop.bean(Lines.class);
      assertThat(lines.open()).isEqualTo(3);
      shop.context().stop();
      assertThat(lines.open()).isZero();
      shop.context().start();
      assertThat(lines.open()).isEqualTo(3);
    }
  }

  /** So that it waits for a handler at work wherever it may wait: each close does. */
  @Test
  void whoStopsAContextEndsEachReceiverItself() {
    try (RunningShop shop = start()) {
      Lines lines = shop.bean(Lines.class);
      shop.context().stop();
      for (Line each : List.of(lines.first(), lines.second(), lines.own())) {
        assertThat(each.closers).contains(Thread.currentThread());
      }
    }
  }

  @Test
  void whatHasBegunEndsWhereTheRestFailsAndTheNextStartBeginsEverything() {
    try (RunningShop shop = start()) {
      Lines lines = shop.bean(Lines.class);
      shop.context().stop();
      lines.second().isCut.set(true);

      assertThatThrownBy(() -> shop.context().start()).hasStackTraceContaining("the line is cut");
      Await.until("what had begun has ended", SOON, () -> lines.open() == 0);

      lines.second().isCut.set(false);
      shop.context().start();
      assertThat(lines.open()).isEqualTo(3);
    }
  }
}
