// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.servers.Postgres;
import io.outledger.spring.contract.shop.ShopApplication;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The application, running on an empty database of its own with empty tables. */
public final class RunningShop implements AutoCloseable {

  /** What the class path has for the tests of JPA, on either line of Boot. */
  private static final String JPA =
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration,"
          + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

  private static final String URL = "spring.datasource.url=";
  private static final String FLYWAY = "spring.flyway.enabled=";

  private final ConfigurableApplicationContext context;

  private RunningShop(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /**
   * Starts it.
   *
   * @param configuration further configuration of the test; may be none
   * @param properties further properties, such as {@code outledger.relay.enabled=false}; the URL of
   *     a database that is there already may be one of them
   */
  public static RunningShop start(List<Class<?>> configuration, String... properties) {
    List<Class<?>> sources = new ArrayList<>(configuration);
    sources.add(ShopApplication.class);
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("spring.autoconfigure.exclude=" + JPA);
    if (all.stream().noneMatch(each -> each.startsWith(URL))) {
      all.add(URL + database());
    }
    return run(sources, all);
  }

  /**
   * Starts another application, with JPA.
   *
   * @param application its class
   * @param properties its properties
   */
  public static RunningShop of(Class<?> application, String... properties) {
    return of(List.of(application), properties);
  }

  /**
   * Starts another application, with JPA and with further configuration.
   *
   * @param sources its class, and what configures it besides
   * @param properties its properties; the URL of a database that is there already may be one of
   *     them
   */
  public static RunningShop of(List<Class<?>> sources, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    if (all.stream().noneMatch(each -> each.startsWith(URL))) {
      all.add(URL + Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    }
    return run(sources, all);
  }

  /**
   * Starts it as the parent of another context.
   *
   * @param configuration further configuration of the test; may be none
   * @param child the configuration of the child, which is returned
   */
  static RunningShop withChild(List<Class<?>> configuration, Class<?> child, String... properties) {
    List<Class<?>> sources = new ArrayList<>(configuration);
    sources.add(ShopApplication.class);
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("spring.autoconfigure.exclude=" + JPA);
    all.add(URL + database());
    all.add(FLYWAY + "false");
    SpringApplicationBuilder parent =
        new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
            .properties(all.toArray(String[]::new));
    try {
      return new RunningShop(parent.child(child).run());
    } catch (RuntimeException e) {
      close(parent.context()); // it has started, and nobody else knows it
      throw e;
    }
  }

  private static void close(@Nullable ApplicationContext context) {
    if (context instanceof ConfigurableApplicationContext closeable) {
      closeable.close();
    }
  }

  private static RunningShop run(List<Class<?>> sources, List<String> all) {
    all.add("spring.main.banner-mode=off");
    if (all.stream().noneMatch(each -> each.startsWith(FLYWAY))) {
      all.add(FLYWAY + "false"); // which one line's tests have on the class path
    }
    return new RunningShop(
        new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
            .properties(all.toArray(String[]::new))
            .run());
  }

  /** Creates an empty database with the application's own tables; returns its URL. */
  static String database() {
    String database = Postgres.shared().createDatabase();
    createTables(database);
    return Postgres.shared().jdbcUrl(database);
  }

  private static void createTables(String database) {
    try (Connection connection = Postgres.shared().connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id text PRIMARY KEY, cents int NOT NULL)");
      statement.execute("CREATE TABLE mails (order_id text PRIMARY KEY)");
      statement.execute("CREATE TABLE payments (order_id text)");
      statement.execute("CREATE TABLE audits (order_id text PRIMARY KEY)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a bean. */
  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Returns the application's context. */
  public ConfigurableApplicationContext context() {
    return context;
  }

  @Override
  public void close() {
    ApplicationContext parent = context.getParent();
    context.close();
    close(parent);
  }
}
