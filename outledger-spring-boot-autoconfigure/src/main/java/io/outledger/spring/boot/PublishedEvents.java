// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.jdbc.Outledger;
import io.outledger.spring.SpringOutbox;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;

/**
 * Appends events of registered types that the application publishes through Spring, when they are
 * published. It hears of those that are published while the transaction is being committed, too,
 * which a listener of a transaction's phase would miss.
 */
final class PublishedEvents implements ApplicationListener<PayloadApplicationEvent<?>> {

  private final ObjectProvider<Outledger> outledger;
  private final ObjectProvider<SpringOutbox> outbox;

  PublishedEvents(ObjectProvider<Outledger> outledger, ObjectProvider<SpringOutbox> outbox) {
    this.outledger = outledger;
    this.outbox = outbox;
  }

  @Override
  public void onApplicationEvent(PayloadApplicationEvent<?> published) {
    Object event = published.getPayload();
    if (outledger.getObject().events().types().isRegistered(event.getClass())) {
      outbox.getObject().appendOnce(event);
    }
  }
}
