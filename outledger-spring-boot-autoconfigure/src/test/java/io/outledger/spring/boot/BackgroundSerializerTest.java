// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.event.PayloadSerializer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.support.GenericApplicationContext;

class BackgroundSerializerTest {

  @Test
  void itIsMadeOnAnotherThreadWhenTheApplicationIsReadyAndWhoeverNeedsItWaits() {
    CountDownLatch mayBeMade = new CountDownLatch(1);
    CompletableFuture<Thread> maker = new CompletableFuture<>();
    BackgroundSerializer serializer =
        new BackgroundSerializer(
            () -> {
              maker.complete(Thread.currentThread());
              await(mayBeMade);
              return new Texts();
            });

    assertThat(maker).isNotDone();
    serializer.onApplicationEvent(ready());
    assertThat(maker.join()).isNotEqualTo(Thread.currentThread());
    mayBeMade.countDown(); // it was not waited for, or this would never be reached

    assertThat(serializer.contentType()).isEqualTo("text/plain");
    assertThat(serializer.read(serializer.write("placed"), String.class)).isEqualTo("placed");
  }

  @Test
  void whoeverNeedsItSoonerMakesItAndItIsMadeOnce() {
    AtomicInteger made = new AtomicInteger();
    BackgroundSerializer serializer =
        new BackgroundSerializer(
            () -> {
              made.incrementAndGet();
              return new Texts();
            });

    assertThat(serializer.contentType()).isEqualTo("text/plain");
    serializer.onApplicationEvent(ready());
    assertThat(serializer.contentType()).isEqualTo("text/plain");
    assertThat(made).hasValue(1);
  }

  @Test
  void oneThatCannotBeMadeSaysWhyAtEachUse() {
    BackgroundSerializer serializer =
        new BackgroundSerializer(
            () -> {
              throw new IllegalStateException("no such module");
            });

    assertThat(serializer.hasFailed()).isFalse();
    assertThatThrownBy(() -> serializer.write("placed"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no such module");
    assertThatThrownBy(serializer::contentType).hasMessage("no such module");
    assertThat(serializer.hasFailed()).isTrue();
  }

  private static ApplicationReadyEvent ready() {
    return new ApplicationReadyEvent(
        new SpringApplication(), new String[0], new GenericApplicationContext(), Duration.ZERO);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Texts implements PayloadSerializer {

    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] write(Object event) {
      return event.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type) {
      return type.cast(new String(payload, StandardCharsets.UTF_8));
    }
  }
}
