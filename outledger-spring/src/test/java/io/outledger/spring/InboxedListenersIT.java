// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.servers.Postgres;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.TextMessage;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.SessionAwareMessageListener;
import org.springframework.jms.support.JmsHeaders;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * What listeners of brokers and a controller do takes effect once. Each gets its message twice from
 * Spring's own container, which is not started: no broker is needed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InboxedListenersIT {

  private AnnotationConfigApplicationContext context;

  /** One listener for each way in. */
  @RestController
  static class Listeners {

    private final JdbcTemplate jdbc;
    private final Outbox outbox;

    Listeners(JdbcTemplate jdbc, Outbox outbox) {
      this.jdbc = jdbc;
      this.outbox = outbox;
    }

    @KafkaListener(id = "kafka", topics = "orders", groupId = "test")
    @Inboxed(
        consumer = "kafka",
        source = "orders",
        id = "#p0.headers().lastHeader('ce_id').value()")
    public void onKafka(ConsumerRecord<String, String> message) {
      effect("kafka", message.value());
    }

    @RabbitListener(id = "rabbit", queues = "orders")
    @Inboxed(consumer = "rabbit", source = "orders", id = "#p1")
    public void onRabbit(String body, @Header(AmqpHeaders.MESSAGE_ID) String id) {
      effect("rabbit", body);
    }

    @JmsListener(id = "jms", destination = "orders")
    @Inboxed(consumer = "jms", source = "orders", id = "#p1")
    public void onJms(String body, @Header(JmsHeaders.MESSAGE_ID) String id) {
      effect("jms", body);
    }

    @PostMapping("/payments")
    @Inboxed(consumer = "http", source = "api", id = "#p0")
    public String pay(@RequestHeader("Idempotency-Key") String key, @RequestBody String payment) {
      effect("http", payment);
      return "paid";
    }

    private void effect(String way, String body) {
      jdbc.update("INSERT INTO effects (way, body) VALUES (?, ?)", way, body);
      outbox.append(Message.to("effects", "effect").key(way).build());
    }
  }

  /** An application that is set up by hand. */
  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(proxyTargetClass = true)
  @EnableKafka
  @EnableRabbit
  @EnableJms
  static class Application {

    @Bean
    DataSource dataSource() {
      PGSimpleDataSource dataSource = new PGSimpleDataSource();
      dataSource.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
      Schema.of(dataSource).apply(dataSource);
      return dataSource;
    }

    @Bean
    JdbcTemplate jdbc(DataSource dataSource) {
      JdbcTemplate jdbc = new JdbcTemplate(dataSource);
      jdbc.execute("CREATE TABLE effects (way text PRIMARY KEY, body text)");
      return jdbc;
    }

    @Bean
    SpringTransactions transactions(DataSource dataSource) {
      return new SpringTransactions(dataSource);
    }

    @Bean
    JdbcTransactionManager manager(DataSource dataSource, SpringTransactions transactions) {
      JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
      manager.addListener(transactions);
      return manager;
    }

    @Bean
    Outledger outledger(DataSource dataSource) {
      return Outledger.builder(dataSource).build();
    }

    @Bean
    SpringOutbox outbox(Outledger outledger, SpringTransactions transactions) {
      return new SpringOutbox(outledger, transactions);
    }

    @Bean
    SpringInbox inbox(
        Outledger outledger, SpringTransactions transactions, JdbcTransactionManager manager) {
      return new SpringInbox(outledger, transactions, manager);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor inboxed(ObjectProvider<SpringInbox> inbox) {
      return new DefaultPointcutAdvisor(
          AnnotationMatchingPointcut.forMethodAnnotation(Inboxed.class),
          new InboxedInterceptor(inbox::getObject, List.of()));
    }

    @Bean
    Listeners listeners(JdbcTemplate jdbc, SpringOutbox outbox) {
      return new Listeners(jdbc, outbox);
    }

    @Bean
    ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory() {
      var factory = new ConcurrentKafkaListenerContainerFactory<String, String>();
      factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of()));
      factory.setAutoStartup(false);
      return factory;
    }

    @Bean
    SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory() {
      SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
      factory.setConnectionFactory(new CachingConnectionFactory("127.0.0.1"));
      factory.setAutoStartup(false);
      return factory;
    }

    @Bean
    DefaultJmsListenerContainerFactory jmsListenerContainerFactory() {
      DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
      factory.setConnectionFactory(answering(ConnectionFactory.class, Map.of()));
      factory.setAutoStartup(false);
      return factory;
    }
  }

  @BeforeAll
  void start() {
    context = new AnnotationConfigApplicationContext(Application.class);
  }

  @AfterAll
  void stop() {
    context.close();
  }

  @Test
  void aKafkaListenerTakesEffectOnce() {
    ConsumerRecord<String, String> message = new ConsumerRecord<>("orders", 0, 0, "o-1", "kafka!");
    message.headers().add("ce_id", "1".getBytes(UTF_8));
    @SuppressWarnings("unchecked")
    var listener =
        (AcknowledgingConsumerAwareMessageListener<String, String>)
            Objects.requireNonNull(
                    context
                        .getBean(KafkaListenerEndpointRegistry.class)
                        .getListenerContainer("kafka"))
                .getContainerProperties()
                .getMessageListener();
    listener.onMessage(message, null, null);
    listener.onMessage(message, null, null);
    assertOnce("kafka");
  }

  @Test
  void aRabbitListenerTakesEffectOnce() throws Exception {
    var container =
        (SimpleMessageListenerContainer)
            context.getBean(RabbitListenerEndpointRegistry.class).getListenerContainer("rabbit");
    var listener = (ChannelAwareMessageListener) container.getMessageListener();
    for (int delivery = 1; delivery <= 2; delivery++) {
      listener.onMessage(
          MessageBuilder.withBody("rabbit!".getBytes(UTF_8))
              .setContentType("text/plain")
              .setMessageId("1")
              .build(),
          null);
    }
    assertOnce("rabbit");
  }

  @Test
  @SuppressWarnings("unchecked")
  void aJmsListenerTakesEffectOnce() throws Exception {
    var container =
        (DefaultMessageListenerContainer)
            context.getBean(JmsListenerEndpointRegistry.class).getListenerContainer("jms");
    var listener =
        (SessionAwareMessageListener<jakarta.jms.Message>)
            Objects.requireNonNull(container).getMessageListener();
    TextMessage message =
        answering(TextMessage.class, Map.of("getText", "jms!", "getJMSMessageID", "1"));
    Objects.requireNonNull(listener)
        .onMessage(message, answering(jakarta.jms.Session.class, Map.of()));
    listener.onMessage(message, answering(jakarta.jms.Session.class, Map.of()));
    assertOnce("jms");
  }

  @Test
  void aRequestWithAnIdempotencyKeyTakesEffectOnce() throws Exception {
    MockMvc http = MockMvcBuilders.standaloneSetup(context.getBean(Listeners.class)).build();
    for (String answer : new String[] {"paid", ""}) {
      MvcResult result =
          http.perform(
                  post("/payments")
                      .header("Idempotency-Key", "1")
                      .contentType("text/plain")
                      .content("http!"))
              .andReturn();
      MockHttpServletResponse response = result.getResponse();
      assertThat(response.getStatus())
          .as(() -> String.valueOf(result.getResolvedException()))
          .isEqualTo(200);
      assertThat(response.getContentAsString()).isEqualTo(answer);
    }
    assertOnce("http");
  }

  private void assertOnce(String way) {
    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
    assertThat(jdbc.queryForList("SELECT body FROM effects WHERE way = ?", String.class, way))
        .containsExactly(way + "!");
    assertThat(
            jdbc.queryForObject(
                "SELECT count(*) FROM outledger_message WHERE message_key = ?", Integer.class, way))
        .isOne();
  }

  /** What JMS has of its own, which has a hundred methods: a few answers, and nothing else. */
  private static <T> T answering(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.getOrDefault(method.getName(), nothing(method))));
  }

  private static @Nullable Object nothing(Method method) {
    Class<?> type = method.getReturnType();
    if (type == boolean.class) {
      return false;
    }
    if (type == long.class) {
      return 0L;
    }
    return type == int.class ? (Object) 0 : null;
  }
}
