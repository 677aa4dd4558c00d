// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.spring.Inboxed;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Ways in which Spring calls a method with {@link Inboxed}: it takes effect once in each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class InboxedProxiesContract {

  private RunningShop shop;

  /** Creates it. */
  protected InboxedProxiesContract() {}

  /** An interface with the annotation. */
  interface Taking {

    @Inboxed(consumer = "interface", source = "api", id = "#p0")
    void take(String id);
  }

  /** Its implementation, and the superclass of one that overrides. */
  static class Takes implements Taking {

    private final JdbcClient jdbc;

    Takes(JdbcClient jdbc) {
      this.jdbc = jdbc;
    }

    @Override
    public void take(String id) {
      jdbc.sql("INSERT INTO payments (order_id) VALUES (?)").param(id).update();
    }

    @Inboxed(consumer = "overridden", source = "api", id = "#p0")
    public void receive(Object id, String key) {
      jdbc.sql("INSERT INTO payments (order_id) VALUES (?)").param(key).update();
    }
  }

  /** A subclass. */
  static class Overrides extends Takes {

    Overrides(JdbcClient jdbc) {
      super(jdbc);
    }

    @Override
    public void receive(Object id, String key) {
      super.receive(id, key);
    }
  }

  /** Passes its message to another bean. */
  static class HandsOn {

    private final Takes takes;

    HandsOn(Takes takes) {
      this.takes = takes;
    }

    @Inboxed(consumer = "interface", source = "api", id = "#p0")
    public void receive(String id) {
      takes.take(id);
    }
  }

  /** With a second maker of proxies, as libraries bring one. */
  @Configuration(proxyBeanMethods = false)
  static class Proxies {

    @Bean
    static DefaultAdvisorAutoProxyCreator another() {
      DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
      creator.setProxyTargetClass(true);
      return creator;
    }

    @Bean
    Overrides takes(JdbcClient jdbc) {
      return new Overrides(jdbc);
    }

    @Bean
    HandsOn handsOn(Overrides takes) {
      return new HandsOn(takes);
    }
  }

  @BeforeAll
  void start() {
    shop =
        RunningShop.start(
            List.of(RecordingConfiguration.class, Proxies.class),
            "outledger.schema-initialization=always");
  }

  @AfterAll
  void stop() {
    shop.close();
  }

  @Test
  void anAnnotationOfAnInterfaceThroughTwoProxies() {
    shop.bean(Overrides.class).take("p-1");
    shop.bean(Overrides.class).take("p-1");
    assertThat(effects("p-1")).isOne();
  }

  @Test
  void anAnnotationOfAnOverriddenMethodThroughTwoProxies() {
    shop.bean(Overrides.class).receive("p-2", "p-2");
    shop.bean(Overrides.class).receive("p-2", "p-2");
    assertThat(effects("p-2")).isOne();
  }

  @Test
  void aMessageThatIsHandedOn() {
    shop.bean(HandsOn.class).receive("p-3");
    shop.bean(HandsOn.class).receive("p-3");
    shop.bean(Overrides.class).take("p-3");
    assertThat(effects("p-3")).isOne();
  }

  @Test
  void anIdWhoseTextIsNotWhatItIsIsRefused() {
    for (Object id : List.of(new Object[] {"p-4"}, ByteBuffer.allocate(4), new Object() {})) {
      assertThatThrownBy(() -> shop.bean(Overrides.class).receive(id, "p-4"))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("OUT-014")
          .hasMessageContaining("toString()");
    }
    assertThat(effects("p-4")).isZero();
  }

  private int effects(String key) {
    return shop.bean(JdbcClient.class)
        .sql("SELECT count(*) FROM payments WHERE order_id = ?")
        .param(key)
        .query(Integer.class)
        .single();
  }
}
