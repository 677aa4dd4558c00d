// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.Inboxed;
import io.outledger.spring.contract.parcels.Parcel;
import io.outledger.spring.contract.parcels.ParcelApplication;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.jta.JtaTransactionManager;

/** What would fail later, or silently do nothing, stops the start. */
public abstract class RefusedStartsContract {

  private static final String ALWAYS = "outledger.schema-initialization=always";
  private static final String NO_RELAY = "outledger.relay.enabled=false";

  /** Creates it. */
  protected RefusedStartsContract() {}

  /** Takes messages. */
  static class Taker {

    @Inboxed(consumer = "early", source = "api", id = "#p0")
    public void take(String id) {}
  }

  /** Is made before anything that wraps beans. */
  static final class Meddler implements BeanPostProcessor, PriorityOrdered {

    private final Object needed;

    Meddler(Object needed) {
      this.needed = needed;
    }

    @Override
    public int getOrder() {
      return needed.hashCode() == 0 ? HIGHEST_PRECEDENCE : LOWEST_PRECEDENCE;
    }
  }

  /** A bean that is needed too early to be wrapped. */
  @Configuration(proxyBeanMethods = false)
  static class TooEarly {

    @Bean
    static Taker taker() {
      return new Taker();
    }

    @Bean
    static Meddler meddler(Taker taker) {
      return new Meddler(taker);
    }
  }

  /** The same bean, asked for later. */
  @Configuration(proxyBeanMethods = false)
  static class InTime {

    @Bean
    static Taker taker() {
      return new Taker();
    }

    @Bean
    static Meddler meddler(ObjectProvider<Taker> taker) {
      return new Meddler(taker);
    }
  }

  /** Ids that no message has. */
  @Configuration(proxyBeanMethods = false)
  static class WrongIds {

    @Inboxed(consumer = "a", source = "api", id = "#p0.[")
    public void unparsable(String id) {}

    @Inboxed(consumer = "b", source = "api", id = "#p7")
    public void missing(String id) {}
  }

  /** A manager of JTA. */
  @Configuration(proxyBeanMethods = false)
  static class JtaAlone {

    @Bean
    JtaTransactionManager transactionManager() {
      return new JtaTransactionManager(
          nothing(jakarta.transaction.UserTransaction.class),
          nothing(jakarta.transaction.TransactionManager.class));
    }

    private static <T> T nothing(Class<T> type) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) -> {
                throw new IllegalStateException(method + " is not to be called");
              }));
    }
  }

  /** The manager of the data source beside it. */
  @Configuration(proxyBeanMethods = false)
  static class BesideJta {

    @Bean
    JdbcTransactionManager local(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }

  /** A persistence unit of JTA. */
  @Configuration(proxyBeanMethods = false)
  static class JtaUnit {

    @Bean
    LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
      LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
      factory.setJtaDataSource(dataSource);
      factory.setPackagesToScan(Parcel.class.getPackageName());
      factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
      factory.setJpaPropertyMap(
          Map.of(
              "hibernate.transaction.coordinator_class",
              "jta",
              "hibernate.dialect",
              "org.hibernate.dialect.PostgreSQLDialect",
              "hibernate.boot.allow_jdbc_metadata_access",
              "false"));
      return factory;
    }
  }

  @Test
  void anInboxedBeanThatIsMadeTooEarlyToBeWrapped() {
    assertThat(PrintedStart.of(List.of(TooEarly.class), ALWAYS, NO_RELAY))
        .contains("the bean taker has no proxy, so @Inboxed would do nothing", "ObjectProvider");
    RunningShop.start(List.of(InTime.class), ALWAYS, NO_RELAY).close();
  }

  @Test
  void idsThatNoMessageCouldHave() {
    assertThat(PrintedStart.of(List.of(WrongIds.class), ALWAYS, NO_RELAY))
        .contains("WrongIds.unparsable: the id of its @Inboxed, #p0.[, is no SpEL expression")
        .contains("WrongIds.missing: the id of its @Inboxed, #p7, uses #p7");
  }

  @Test
  void transactionsThatAreAllOfJta() {
    assertThat(PrintedStart.of(List.of(JtaAlone.class), ALWAYS, NO_RELAY))
        .contains("the only transaction manager is one of JTA: [transactionManager]")
        .contains("JdbcTransactionManager");
  }

  @Test
  void inboxesUseTheManagerBesideTheOneOfJta() {
    List<Class<?>> both = List.of(JtaAlone.class, BesideJta.class, InboxedConfiguration.class);
    RunningShop.start(both, ALWAYS, NO_RELAY, "outledger.transaction-manager=local").close();
    RunningShop.start(both, ALWAYS, NO_RELAY).close();
    assertThat(
            PrintedStart.of(
                both, ALWAYS, NO_RELAY, "outledger.transaction-manager=transactionManager"))
        .contains("outledger.transaction-manager is transactionManager, which is one of JTA");
  }

  @Test
  void aPersistenceUnitOfJta() {
    List<Class<?>> unit = List.of(ParcelApplication.class, JtaUnit.class);
    assertThat(PrintedStart.of(() -> RunningShop.of(unit, ALWAYS, NO_RELAY)))
        .contains(
            "OUT-021", "persistence unit has JTA transactions", "outledger.jpa.enabled=false");
    RunningShop.of(unit, ALWAYS, NO_RELAY, "outledger.jpa.enabled=false").close();
  }
}
