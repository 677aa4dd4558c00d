// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.event.PayloadSerializer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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
            },
            false);

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
            },
            false);

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
            },
            false);

    assertThat(serializer.trouble()).isEmpty();
    assertThatThrownBy(() -> serializer.write("placed"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no such module");
    assertThatThrownBy(serializer::contentType).hasMessage("no such module");
    assertThat(serializer.trouble()).isEqualTo("cannot be made");
  }

  @Test
  void aClassThatCannotBeReadIsRefusedAtEachAppendAndOthersAreNot() {
    BackgroundSerializer serializer = new BackgroundSerializer(Texts::new, false);
    serializer.check(Integer.class);
    serializer.check(String.class);
    serializer.afterSingletonsInstantiated();

    assertThat(serializer.trouble()).isEmpty(); // nothing was checked yet
    assertThat(serializer.write("placed")).isEqualTo("placed".getBytes(StandardCharsets.UTF_8));
    for (int append = 0; append < 2; append++) {
      assertThatThrownBy(() -> serializer.write(7))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("java.lang.Integer is no text");
    }
    assertThat(serializer.trouble()).isEqualTo("cannot write or read some events");
  }

  @Test
  void theStartFailsOverAllClassesThatCannotBeReadWhereThatIsWanted() {
    BackgroundSerializer serializer = new BackgroundSerializer(Texts::new, true);
    serializer.check(Integer.class);
    serializer.check(Long.class);
    serializer.check(String.class);

    assertThatThrownBy(serializer::afterSingletonsInstantiated)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("java.lang.Integer is no text")
        .hasMessageContaining("java.lang.Long is no text")
        .hasMessageNotContaining("String");
  }

  /** Jackson 2's trees for Jackson 3, for example: appends pass, and no older version is read. */
  @Test
  void treesThatItCannotMakeAreAFault() {
    BackgroundSerializer serializer = new BackgroundSerializer(Texts::new, true);
    serializer.checkTree(StringBuilder.class);

    assertThatThrownBy(serializer::afterSingletonsInstantiated)
        .isInstanceOf(ConfigurationException.class);
    assertThat(serializer.trouble()).isEqualTo("cannot write or read some events");
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
    public void check(Class<?> type) {
      if (type != String.class) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION, type.getName() + " is no text");
      }
    }

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return read(payload, type);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknown) {
      return type.cast(new String(payload, StandardCharsets.UTF_8));
    }
  }
}
