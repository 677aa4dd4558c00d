// SPDX-License-Identifier: Apache-2.0
package io.outledger.modulith;

import io.outledger.spring.SpringInbox;
import io.outledger.spring.SpringOutbox;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.modulith.events.core.ConditionalEventListener;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.event.TransactionalApplicationListener;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes over what was published before the application moved to Outledger, and what Modulith's own
 * externaliser had not sent by then: when Modulith submits such a publication again, its event is
 * appended, and the publication completed. It has the name of that externaliser in Modulith's
 * registry, and supports no event, so that nothing new is registered for it.
 */
final class EarlierPublications
    implements TransactionalApplicationListener<ApplicationEvent>, ConditionalEventListener {

  private final String externaliser;
  private final ObjectProvider<SpringOutbox> outbox;
  private final ObjectProvider<SpringInbox> inbox;
  private final ObjectProvider<EventPublicationRegistry> registry;

  EarlierPublications(
      String externaliser,
      ObjectProvider<SpringOutbox> outbox,
      ObjectProvider<SpringInbox> inbox,
      ObjectProvider<EventPublicationRegistry> registry) {
    this.externaliser = externaliser;
    this.outbox = outbox;
    this.inbox = inbox;
    this.registry = registry;
  }

  @Override
  public String getListenerId() {
    return externaliser;
  }

  @Override
  public boolean supports(Object event) {
    return false;
  }

  @Override
  public void onApplicationEvent(ApplicationEvent published) {}

  @Override
  public void addCallback(SynchronizationCallback callback) {}

  /** Called by Modulith alone, for a publication that it submits again. */
  @Override
  public void processEvent(ApplicationEvent published) {
    Object event =
        published instanceof PayloadApplicationEvent<?> carrier ? carrier.getPayload() : published;
    PublicationTargetIdentifier target = PublicationTargetIdentifier.of(externaliser);
    try {
      transaction().executeWithoutResult(status -> outbox.getObject().appendOnce(event));
    } catch (RuntimeException e) {
      registry.getObject().markFailed(event, target);
      throw e;
    }
    // After the commit: a crash in between leaves it to be submitted once more, and so a duplicate.
    registry.getObject().markCompleted(event, target);
  }

  // The inbox's manager is that of the outbox's data source, which need not be the primary one.
  private TransactionTemplate transaction() {
    TransactionTemplate transaction = new TransactionTemplate(inbox.getObject().manager());
    transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    return transaction;
  }
}
