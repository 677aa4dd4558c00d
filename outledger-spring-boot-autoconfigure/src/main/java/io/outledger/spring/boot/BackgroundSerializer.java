// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.Printable;
import io.outledger.Problems;
import io.outledger.Require;
import io.outledger.event.PayloadSerializer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * A serializer that is made when the application is ready, on a thread of its own, or before that
 * by whoever needs it first: a library such as Jackson has hundreds of classes to load, which would
 * take a noticeable part of each start. If it cannot be made, the log says so once and each use
 * why.
 *
 * <p>The same thread then checks the classes of events. Those that cannot be written and read are
 * told in the log, and each append of one is refused, also before that. Where the start is to check
 * them, it is made then, and the start fails. Thread-safe.
 */
final class BackgroundSerializer
    implements PayloadSerializer,
        ApplicationListener<ApplicationReadyEvent>,
        SmartInitializingSingleton {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundSerializer.class);

  private final Supplier<PayloadSerializer> maker;
  private final boolean checksAtStart;
  private final AtomicBoolean isBegun = new AtomicBoolean();
  private final CompletableFuture<PayloadSerializer> made = new CompletableFuture<>();
  private final Set<Class<?>> unchecked = ConcurrentHashMap.newKeySet();
  private final Set<Class<?>> unfit = ConcurrentHashMap.newKeySet();
  private final Set<Class<?>> trees = ConcurrentHashMap.newKeySet();

  /**
   * Creates it.
   *
   * @param maker is called once, by one thread
   * @param checksAtStart whether the start fails if an event's class cannot be written and read
   */
  BackgroundSerializer(Supplier<PayloadSerializer> maker, boolean checksAtStart) {
    this.maker = maker;
    this.checksAtStart = checksAtStart;
  }

  /** When every bean is there: a module of Jackson may need any of them. */
  @Override
  public void afterSingletonsInstantiated() {
    if (checksAtStart) {
      checkAll().refuse();
    }
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    Thread thread = new Thread(this::makeAndCheck, "outledger-serializer");
    thread.setDaemon(true);
    thread.start();
  }

  private void makeAndCheck() {
    make();
    if (made.isCompletedExceptionally()) {
      return;
    }
    try {
      checkAll().refuse();
    } catch (ConfigurationException e) {
      LOG.error(
          "some events cannot be appended, or what was appended before cannot be read: {}. With"
              + " outledger.json.check-at-start=true the start fails instead",
          Printable.text(e.getMessage()));
    }
  }

  private Problems checkAll() {
    Problems problems = Problems.of("events cannot be written and read as JSON");
    PayloadSerializer serializer = made();
    for (Class<?> type : unchecked) {
      problems.check(() -> checkNow(serializer, type));
    }
    for (Class<?> tree : trees) {
      problems.check(() -> checkTreeNow(serializer, tree));
    }
    return problems;
  }

  /** Checks a class that was not found fit before. */
  private void checkNow(PayloadSerializer serializer, Class<?> type) {
    try {
      serializer.check(type);
    } catch (ConfigurationException e) {
      unfit.add(type);
      throw e;
    }
    unchecked.remove(type);
  }

  private void checkTreeNow(PayloadSerializer serializer, Class<?> tree) {
    try {
      serializer.checkTree(tree);
    } catch (ConfigurationException e) {
      unfit.add(tree);
      throw e;
    }
  }

  /** Has the class checked later, by the thread that makes the serializer. */
  @Override
  public void check(Class<?> type) {
    unchecked.add(Require.nonNull("type", type));
  }

  @Override
  public String contentType() {
    return made().contentType();
  }

  @Override
  public Set<String> contentTypes() {
    return made().contentTypes();
  }

  @Override
  public byte[] write(Object event) {
    PayloadSerializer serializer = made();
    if (unchecked.contains(event.getClass())) {
      checkNow(serializer, event.getClass());
    }
    return serializer.write(event);
  }

  @Override
  public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields) {
    return made().read(payload, type, unknownFields);
  }

  @Override
  public <T> T readExactly(byte[] payload, Class<T> type) {
    return made().readExactly(payload, type);
  }

  /** Has the class of trees checked when the classes of events are. */
  @Override
  public void checkTree(Class<?> tree) {
    trees.add(Require.nonNull("tree", tree));
  }

  @Override
  public <T> Optional<byte[]> rewrite(
      byte[] payload, Class<T> tree, Function<? super T, ? extends @Nullable T> change) {
    return made().rewrite(payload, tree, change);
  }

  /** Returns what is wrong with it, in a few words; empty where nothing is known to be. */
  String trouble() {
    if (made.isCompletedExceptionally()) {
      return "cannot be made";
    }
    return unfit.isEmpty() ? "" : "cannot write or read some events";
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
