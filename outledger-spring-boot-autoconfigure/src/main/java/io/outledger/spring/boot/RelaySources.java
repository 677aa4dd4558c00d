// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.Outledger;
import io.outledger.publish.Publisher;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.spring.SpringOutbox;
import io.outledger.spring.SpringTransactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;

/** What relays are made of, among the application's beans. They are asked for when relays start. */
final class RelaySources {

  private final ConfigurableListableBeanFactory beans;
  private final Environment environment;
  private final @Nullable String transactionManager;

  RelaySources(
      ConfigurableListableBeanFactory beans,
      Environment environment,
      @Nullable String transactionManager) {
    this.beans = beans;
    this.environment = environment;
    this.transactionManager = transactionManager;
  }

  Environment environment() {
    return environment;
  }

  Outledger outledger() {
    return beans.getBean(Outledger.class);
  }

  /** Returns publishers by the names of their beans. */
  Map<String, Publisher> publishers() {
    return beans.getBeansOfType(Publisher.class);
  }

  /** Returns methods with {@link OutboxHandler}, by subscription and handler. */
  Map<String, Map<String, List<HandlerMethod>>> handlers() {
    return HandlerMethods.find(beans, outledger().events().types(), this::manager);
  }

  private PlatformTransactionManager manager() {
    return LedgerTransactions.manager(
        beans, beans.getBean(SpringTransactions.class), transactionManager);
  }

  HandlerRoute.Parts handlerParts() {
    return new HandlerRoute.Parts(
        outledger(),
        beans.getBean(SpringOutbox.class),
        beans.getBean(SpringTransactions.class),
        manager(),
        beans
            .getBeanProvider(MessageObservations.class)
            .getIfAvailable(() -> MessageObservations.NONE));
  }

  /** Returns the application's listeners of relays, and what tells of dead letters. */
  List<RelayListener> listeners(String subscription) {
    List<RelayListener> listeners =
        new ArrayList<>(beans.getBeanProvider(RelayListener.class).orderedStream().toList());
    beans
        .getBeanProvider(RelayListenerSource.class)
        .forEach(source -> listeners.add(source.listener(subscription)));
    for (DeadLetterListener each :
        beans.getBeanProvider(DeadLetterListener.class).orderedStream().toList()) {
      listeners.add(
          event -> {
            if (event instanceof RelayEvent.Died died) {
              each.on(new DeadLetter(subscription, died.message(), died.attempts(), died.reason()));
            }
          });
    }
    return listeners;
  }
}
