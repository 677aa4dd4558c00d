// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class HandlerThreadsTest {

  private static final String VIRTUAL = "spring.threads.virtual.enabled";

  @Test
  void handlersRunOnVirtualThreadsWhereTheApplicationUsesThemAndJavaHasThem() {
    boolean hasThem = Runtime.version().feature() >= 21;
    assertThat(isVirtual(threadOf(Map.of(VIRTUAL, "true")))).isEqualTo(hasThem);
    assertThat(isVirtual(threadOf(Map.of(VIRTUAL, "false")))).isFalse();
    assertThat(isVirtual(threadOf(Map.of()))).isFalse();
  }

  @Test
  void aThreadIsNamedAfterItsHandlerAndKeepsNoProcessAlive() {
    for (String virtual : new String[] {"true", "false"}) {
      Thread thread = threadOf(Map.of(VIRTUAL, virtual));
      assertThat(thread.getName()).startsWith("outledger-handler-mail-");
      assertThat(thread.isDaemon()).isTrue();
    }
  }

  private static Thread threadOf(Map<String, Object> properties) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return CompletableFuture.supplyAsync(
            Thread::currentThread, HandlerThreads.of("mail", 2, environment))
        .join();
  }

  /** Java 17, for which this is compiled, has no question for it. */
  private static boolean isVirtual(Thread thread) {
    return thread.getClass().getName().equals("java.lang.VirtualThread");
  }
}
