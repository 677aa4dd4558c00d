// SPDX-License-Identifier: Apache-2.0
package io.outledger.modulith;

import io.outledger.spring.PublishedEvents;
import io.outledger.spring.SpringInbox;
import io.outledger.spring.SpringOutbox;
import io.outledger.spring.boot.EventTypesCustomizer;
import io.outledger.spring.boot.OutledgerAutoConfiguration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;
import org.springframework.modulith.events.core.EventPublicationRegistry;

/**
 * Appends the events that Spring Modulith externalises to the outbox, in the transaction that
 * publishes them. Modulith's {@link EventExternalizationConfiguration} says which events these are,
 * and where they go.
 *
 * <p>It gives way where {@code spring.modulith.events.externalization.enabled} is false, or where
 * there is no such configuration or no {@link SpringOutbox}.
 */
@AutoConfiguration(
    after = {OutledgerAutoConfiguration.class, EventExternalizationAutoConfiguration.class})
@ConditionalOnProperty(
    name = "spring.modulith.events.externalization.enabled",
    havingValue = "true",
    matchIfMissing = true)
@ConditionalOnBean({EventExternalizationConfiguration.class, SpringOutbox.class})
public class OutledgerModulithAutoConfiguration {

  private static final String SUPPORT = "org.springframework.modulith.events.support.";
  private static final String EXTERNALIZE = ".externalize(java.lang.Object)";

  /** Creates it. */
  public OutledgerModulithAutoConfiguration() {}

  @Bean
  static BeanFactoryPostProcessor outledgerModulithCheck(Environment environment) {
    return new OneWayOut(environment);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static ModulithRouting outledgerModulithRouting(
      ObjectProvider<EventExternalizationConfiguration> configuration, BeanFactory beans) {
    return new ModulithRouting(configuration, beans);
  }

  @Bean
  static EventTypesCustomizer outledgerModulithTypes(BeanFactory beans, ModulithRouting routing) {
    return new ExternalizedTypes(beans, routing);
  }

  @Bean
  static PublishedEvents outledgerExternalizedEvents(
      ModulithRouting routing, ObjectProvider<SpringOutbox> outbox) {
    return new PublishedEvents(
        routing::isExternalized, () -> ModulithRouting.asked(outbox.getObject(), routing));
  }

  /** What the externaliser of Modulith 2.1 had not sent. */
  @Bean
  static EarlierPublications outledgerEarlierPublications(
      ObjectProvider<SpringOutbox> outbox,
      ObjectProvider<SpringInbox> inbox,
      ObjectProvider<EventPublicationRegistry> registry) {
    return new EarlierPublications(
        SUPPORT + "EventExternalizerModuleListener" + EXTERNALIZE, outbox, inbox, registry);
  }

  /** What that of Modulith 2.0 had not sent. */
  @Bean
  static EarlierPublications outledgerEarlierPublicationsOf20(
      ObjectProvider<SpringOutbox> outbox,
      ObjectProvider<SpringInbox> inbox,
      ObjectProvider<EventPublicationRegistry> registry) {
    return new EarlierPublications(
        SUPPORT + "DelegatingEventExternalizer" + EXTERNALIZE, outbox, inbox, registry);
  }
}
