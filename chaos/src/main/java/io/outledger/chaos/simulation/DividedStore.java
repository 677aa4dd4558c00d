// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import io.outledger.ErrorCode;
import io.outledger.StoreException;
import io.outledger.store.LeaseGrant;
import io.outledger.store.Page;
import io.outledger.store.Pauses;
import io.outledger.store.RelayStore;
import io.outledger.store.Save;
import io.outledger.store.SaveOutcome;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The store of one partition's relay: it tells of divisions, and between each call and its reply
 * the others may move, the process may die, and the connection may break.
 */
final class DividedStore implements InvocationHandler {

  private final DividedWorld world;
  private final DividedRelay relay;
  private @Nullable RelayStore store;

  DividedStore(DividedWorld world, DividedRelay relay) {
    this.world = world;
    this.relay = relay;
  }

  RelayStore asStore() {
    return (RelayStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {RelayStore.class}, this);
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String what = method.getName();
    if (what.equals("close")) {
      opened().close();
      return null;
    }
    relay.checkAlive();
    relay.process().othersMove("before " + what);
    relay.checkAlive();
    relay.process().mayCrash("before " + what);
    mayFail(world.plan().storeFails, "before " + what);
    Object reply = reply(method, arguments);
    world.tell(relay, () -> what + ": " + reply);
    relay.process().othersMove("after " + what);
    relay.checkAlive();
    relay.process().mayCrash("after " + what);
    mayFail(world.plan().replyLost, "after " + what);
    return reply;
  }

  private void mayFail(double probability, String when) {
    if (world.hasFaults() && world.choices().chance(probability)) {
      world.tell(relay, () -> "loses its connection " + when);
      throw new StoreException(ErrorCode.STORE_UNAVAILABLE, "the connection broke " + when);
    }
  }

  private @Nullable Object reply(Method method, Object @Nullable [] arguments) throws Throwable {
    if (method.getName().equals("look")) {
      return world.cursors().look(this::opened, relay.slots().count(), relay.slot());
    }
    boolean isHandedOver =
        method.getName().equals("takeOver") && world.cursors().newest(relay.slot()).released();
    Object reply;
    try {
      reply = method.invoke(opened(), arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (arguments != null && reply instanceof Optional<?> taken && taken.isPresent()) {
      UUID incarnation = (UUID) arguments[1];
      world.cursors().changed(relay.slot(), ((LeaseGrant) taken.get()).n(), incarnation);
      relay.tookOver(incarnation, isHandedOver);
    } else if (arguments != null && reply instanceof SaveOutcome.Saved) {
      saved((Save) arguments[0]);
    }
    return told(reply);
  }

  private RelayStore opened() {
    RelayStore now = store;
    if (now == null) {
      now = world.cursors().open(relay.slot());
      store = now;
    }
    return now;
  }

  private void saved(Save save) {
    world.cursors().changed(relay.slot(), save.n() + 1, save.incarnation());
    if (save.lease().isZero()) {
      relay.gaveLeaseBack();
    }
  }

  private @Nullable Object told(@Nullable Object reply) {
    if (reply instanceof Page page) {
      return new Page(
          page.messages(),
          page.readTo(),
          page.withheld(),
          page.more(),
          page.snapshot(),
          page.newest(),
          page.declared(),
          world.cursors().pauses().revision(),
          page.server());
    }
    return reply instanceof Pauses ? world.cursors().pauses() : reply;
  }
}
