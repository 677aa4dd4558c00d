// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.event.PayloadSerializer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * A serializer that is made on a thread of its own while the application starts, since a library
 * such as Jackson has hundreds of classes to load. Whoever needs it sooner waits for it. If it
 * cannot be made, the application does not start. Thread-safe.
 */
final class BackgroundSerializer implements PayloadSerializer, SmartInitializingSingleton {

  private final CompletableFuture<PayloadSerializer> made;

  BackgroundSerializer(Supplier<PayloadSerializer> maker) {
    CompletableFuture<PayloadSerializer> future = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                future.complete(maker.get());
              } catch (Throwable e) {
                future.completeExceptionally(e);
              }
            },
            "outledger-serializer");
    thread.setDaemon(true);
    thread.start();
    made = future;
  }

  @Override
  public void afterSingletonsInstantiated() {
    made();
  }

  @Override
  public String contentType() {
    return made().contentType();
  }

  @Override
  public byte[] write(Object event) {
    return made().write(event);
  }

  @Override
  public <T> T read(byte[] payload, Class<T> type) {
    return made().read(payload, type);
  }

  private PayloadSerializer made() {
    try {
      return made.join();
    } catch (CompletionException | CancellationException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }
}
