// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.event.PayloadSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.spring.BeforeAppend;
import io.outledger.spring.EventRouting;
import io.outledger.spring.Inboxed;
import io.outledger.spring.InboxedInterceptor;
import io.outledger.spring.MessageIdentity;
import io.outledger.spring.PublishedEvents;
import io.outledger.spring.SpringInbox;
import io.outledger.spring.SpringOutbox;
import io.outledger.spring.SpringTransactions;
import io.outledger.time.TimeSource;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Sets Outledger up on the application's data source: an {@link Outledger}, a {@link SpringOutbox}
 * to append to, and relays that publish. Each bean gives way to one of the application's own.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
    })
@ConditionalOnProperty(prefix = "outledger", name = "enabled", matchIfMissing = true)
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(OutledgerProperties.class)
@Import({
  JacksonConfiguration.Three.class,
  JacksonConfiguration.Two.class,
  ConfiguredSchemaRegistry.class,
  InboxedListenersConfiguration.class,
  MetersConfiguration.class,
  ObservationConfiguration.class,
  EventClasses.Registrar.class
})
public class OutledgerAutoConfiguration {

  /** Creates it. */
  public OutledgerAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  SpringTransactions outledgerTransactions(
      ListableBeanFactory beans, OutledgerProperties properties) {
    return new SpringTransactions(
        DataSources.choose(beans, properties.dataSource(), properties.relay().dataSource()));
  }

  @Bean
  static TransactionManagers outledgerTransactionManagers(
      ObjectProvider<SpringTransactions> transactions) {
    return new TransactionManagers(transactions);
  }

  @Bean
  static StepsBeforeAppend outledgerStepsBeforeAppend(
      ObjectProvider<SpringTransactions> transactions, ObjectProvider<BeforeAppend> steps) {
    return new StepsBeforeAppend(transactions, steps);
  }

  @Bean
  static Jta outledgerJta(ListableBeanFactory beans) {
    return new Jta(beans);
  }

  @Bean
  static AnnotatedEvents outledgerAnnotatedEvents(EventClasses classes, Environment environment) {
    return new AnnotatedEvents(classes.all(), environment);
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  @DependsOnDatabaseInitialization
  Outledger outledger(
      SpringTransactions transactions, OutledgerProperties properties, ListableBeanFactory beans) {
    return new OutledgerSetup(properties, beans).build(transactions.dataSource());
  }

  @Bean
  @ConditionalOnMissingBean
  SpringOutbox outledgerOutbox(
      Outledger outledger,
      SpringTransactions transactions,
      ObjectProvider<MessageObservations> observations,
      ObjectProvider<EventRouting> routing) {
    MessageObservations observed = observations.getIfAvailable(() -> MessageObservations.NONE);
    return new SpringOutbox(
        outledger,
        transactions,
        observed::append,
        routing.getIfAvailable(() -> EventRouting.AS_REGISTERED));
  }

  /** Closed after relays and receivers have stopped. */
  @Bean(destroyMethod = "close")
  BrokerSources outledgerBrokerSources(ListableBeanFactory beans, Environment environment) {
    return new BrokerSources(beans, environment);
  }

  @Bean
  ConfiguredPublishers outledgerPublishers(OutledgerProperties properties, BrokerSources sources) {
    return new ConfiguredPublishers(properties, sources);
  }

  @Bean
  ConfiguredReceivers outledgerConfiguredReceivers(
      OutledgerProperties properties, BrokerSources sources) {
    return new ConfiguredReceivers(properties, sources);
  }

  @Bean
  RelaySources outledgerRelaySources(
      ConfigurableListableBeanFactory beans,
      OutledgerProperties properties,
      Environment environment) {
    return new RelaySources(beans, environment, properties.transactionManager());
  }

  @Bean
  @ConditionalOnMissingBean
  RelayDefinitions outledgerRelayDefinitions(RelaySources sources, OutledgerProperties properties) {
    return new RelayDefinitions(sources, properties);
  }

  @Bean
  @ConditionalOnMissingBean
  ReceiverDefinitions outledgerReceiverDefinitions(RelaySources sources) {
    return new ReceiverDefinitions(sources);
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty(prefix = "outledger.receiving", name = "enabled", matchIfMissing = true)
  OutledgerReceivers outledgerReceivers(
      ReceiverDefinitions definitions, ListableBeanFactory beans, ReceiverProgress progress) {
    return new OutledgerReceivers(definitions, beans, progress);
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty(prefix = "outledger.relay", name = "enabled", matchIfMissing = true)
  OutledgerRelays outledgerRelays(RelayDefinitions definitions, Environment environment) {
    return new OutledgerRelays(definitions, environment);
  }

  @Bean
  static ChildContext outledgerChildContext(
      ConfigurableListableBeanFactory beans, OutledgerProperties properties) {
    return new ChildContext(beans, properties);
  }

  /** Made when it is wanted: an application without inboxes may have any transaction managers. */
  @Bean
  @Lazy
  @ConditionalOnMissingBean
  SpringInbox outledgerInbox(
      Outledger outledger,
      SpringTransactions transactions,
      ListableBeanFactory beans,
      OutledgerProperties properties) {
    String manager = properties.transactionManager();
    return new SpringInbox(
        outledger, transactions, LedgerTransactions.manager(beans, transactions, manager));
  }

  @Bean
  static InboxedMethods outledgerInboxedMethods(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<SpringInbox> inbox,
      ObjectProvider<MessageIdentity> identities) {
    return new InboxedMethods(beans, inbox, identities);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static Advisor outledgerInboxedAdvisor(
      ObjectProvider<SpringInbox> inbox, ObjectProvider<MessageIdentity> identities) {
    return new DefaultPointcutAdvisor(
        // Those of interfaces and of overridden methods, too, as the check of the start finds them.
        new AnnotationMatchingPointcut(null, Inboxed.class, true),
        new InboxedInterceptor(inbox::getObject, identities));
  }

  @Bean
  @ConditionalOnMissingBean
  RelayProgress outledgerRelayProgress(
      ObjectProvider<PayloadSerializer> serializer,
      OutledgerProperties properties,
      ReceiverProgress receiverProgress,
      ObjectProvider<OutledgerReceivers> receivers) {
    return new RelayProgress(
        TimeSource.system(),
        properties.health().destinations(),
        () -> serializer.getIfUnique() instanceof BackgroundSerializer made ? made.trouble() : "",
        new RelayProgress.Receivers(
            receiverProgress,
            () -> receivers.stream().findFirst().map(OutledgerReceivers::states).orElse(Map.of())));
  }

  @Bean
  @ConditionalOnMissingBean
  ReceiverProgress outledgerReceiverProgress() {
    return new ReceiverProgress(TimeSource.system());
  }

  @Bean
  @Conditional(OnApplicationEvents.class)
  PublishedEvents outledgerPublishedEvents(
      ObjectProvider<Outledger> outledger, ObjectProvider<SpringOutbox> outbox) {
    return new PublishedEvents(
        event -> outledger.getObject().events().types().isRegistered(event.getClass()),
        outbox::getObject);
  }
}
