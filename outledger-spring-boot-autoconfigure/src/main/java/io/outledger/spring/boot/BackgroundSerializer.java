// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Printable;
import io.outledger.event.PayloadSerializer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * A serializer that is made when the application is ready, on a thread of its own, or before that
 * by whoever needs it first: a library such as Jackson has hundreds of classes to load, which would
 * take a noticeable part of each start. If it cannot be made, the log says so once and each use
 * why. Thread-safe.
 */
final class BackgroundSerializer
    implements PayloadSerializer, ApplicationListener<ApplicationReadyEvent> {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundSerializer.class);

  private final Supplier<PayloadSerializer> maker;
  private final AtomicBoolean isBegun = new AtomicBoolean();
  private final CompletableFuture<PayloadSerializer> made = new CompletableFuture<>();

  /** Creates it. The maker is called once, by one thread. */
  BackgroundSerializer(Supplier<PayloadSerializer> maker) {
    this.maker = maker;
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    Thread thread = new Thread(this::make, "outledger-serializer");
    thread.setDaemon(true);
    thread.start();
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

  /** Returns whether it cannot be made. */
  boolean hasFailed() {
    return made.isCompletedExceptionally();
  }

  private void make() {
    if (!isBegun.compareAndSet(false, true)) {
      return;
    }
    try {
      made.complete(maker.get());
    } catch (Throwable e) { // an Error, too: whoever waits for it must be told
      LOG.error(
          "the serializer of events cannot be made, so none can be appended or read: {}",
          Printable.text(e),
          Printable.trace(e));
      made.completeExceptionally(e);
    }
  }

  private PayloadSerializer made() {
    make();
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
