// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.event.PayloadSerializer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BackgroundSerializerTest {

  @Test
  void itIsMadeOnAnotherThreadAndWhoeverNeedsItWaits() {
    CountDownLatch mayBeMade = new CountDownLatch(1);
    Thread starting = Thread.currentThread();
    BackgroundSerializer serializer =
        new BackgroundSerializer(
            () -> {
              await(mayBeMade);
              assertThat(Thread.currentThread()).isNotEqualTo(starting);
              return new Texts();
            });

    mayBeMade.countDown(); // it was not waited for, or this would never be reached

    assertThat(serializer.contentType()).isEqualTo("text/plain");
    assertThat(serializer.read(serializer.write("placed"), String.class)).isEqualTo("placed");
    serializer.afterSingletonsInstantiated();
  }

  @Test
  void oneThatCannotBeMadeStopsTheStart() {
    BackgroundSerializer serializer =
        new BackgroundSerializer(
            () -> {
              throw new IllegalStateException("no such module");
            });

    assertThatThrownBy(serializer::afterSingletonsInstantiated)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no such module");
    assertThatThrownBy(() -> serializer.write("placed")).hasMessage("no such module");
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
