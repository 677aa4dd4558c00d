// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.store.RelayStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * One call of a relay to its store or to its publisher, and what goes wrong there, once. It stands
 * between the relay and both, so a call that is new has its points by itself.
 */
final class CrashPoint {

  private final String call;
  private final Mishap mishap;
  private final World world;
  private boolean isArmed;
  private boolean happened;

  /** Does what a mishap means for everybody else. */
  interface World {

    /** Does it, as it happens: at a call to the store, or at one to the publisher. */
    void happens(Mishap mishap, boolean atStore);
  }

  /** The process is gone: nothing of it is to go on. */
  static final class Halted extends Error {
    private static final long serialVersionUID = 1L;

    Halted(String where) {
      super(where, null, false, false);
    }
  }

  /**
   * Makes one that is not armed.
   *
   * @param call the name of the method
   * @param mishap what goes wrong
   * @param world is told as it happens
   */
  CrashPoint(String call, Mishap mishap, World world) {
    this.call = call;
    this.mishap = mishap;
    this.world = world;
  }

  /** From now on the next such call meets it. */
  void arm() {
    isArmed = true;
  }

  boolean happened() {
    return happened;
  }

  RelayStore before(RelayStore store) {
    return before(RelayStore.class, store);
  }

  Publisher before(Publisher publisher) {
    return before(Publisher.class, publisher);
  }

  private <T> T before(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> meet(type, target, method, arguments)));
  }

  private Object meet(Class<?> type, Object target, Method method, Object[] arguments)
      throws Throwable {
    if (!isArmed || happened || !method.getName().equals(call)) {
      return wrapped(invoke(target, method, arguments));
    }
    happened = true;
    boolean atStore = type == RelayStore.class;
    if (mishap.isBefore()) {
      world.happens(mishap, atStore);
      stop(mishap == Mishap.FAILS && !atStore, atStore);
    }
    Object reply = wrapped(invoke(target, method, arguments));
    if (!mishap.isBefore()) {
      world.happens(mishap, atStore);
      stop(mishap == Mishap.REPLY_LOST, atStore);
    }
    return reply;
  }

  /** Ends the call here, where that is what happens. */
  private void stop(boolean fails, boolean atStore) {
    if (mishap.isHalt()) {
      throw new Halted(mishap + " " + call);
    }
    if (fails && atStore) {
      throw new StoreException(ErrorCode.STORE_UNAVAILABLE, "the reply to " + call + " is lost");
    }
    if (fails) {
      throw new DestinationUnavailableException("the test lets " + call + " fail", null);
    }
  }

  /** A client is met as well as the publisher that opened it. */
  private Object wrapped(Object reply) {
    return reply instanceof PublisherClient client ? before(PublisherClient.class, client) : reply;
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
