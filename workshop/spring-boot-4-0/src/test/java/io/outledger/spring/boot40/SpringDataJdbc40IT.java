// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot40;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.servers.Await;
import io.outledger.spring.boot.EventTypesCustomizer;
import io.outledger.spring.contract.RecordingConfiguration;
import io.outledger.spring.contract.RunningShop;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.domain.AbstractAggregateRoot;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What aggregates of Spring Data JDBC register is appended, without a line of configuration. */
class SpringDataJdbc40IT {

  record ShelfFilled(long shelf, int books) {}

  /** An aggregate. */
  @Table("shelf")
  static class Shelf extends AbstractAggregateRoot<Shelf> {

    @Id @Nullable Long id;

    long id() {
      return Objects.requireNonNull(id);
    }

    int books;

    void fill(int count) {
      books = count;
      registerEvent(new ShelfFilled(id(), count));
    }
  }

  interface Shelves extends ListCrudRepository<Shelf, Long> {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(
      excludeName = {
        "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
        "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration"
      })
  @EnableJdbcRepositories(
      considerNestedRepositories = true,
      basePackageClasses = SpringDataJdbc40IT.class)
  static class Library {

    @Bean
    EventTypesCustomizer events() {
      return types ->
          types.register(
              ShelfFilled.class,
              type ->
                  type.name("shelf.filled")
                      .topic("shelves")
                      .key(event -> String.valueOf(event.shelf())));
    }
  }

  @Test
  void whatIsRegisteredIsAppendedWithTheSaveAndGoesWithARollBack() {
    try (RunningShop library =
        RunningShop.of(
            List.of(Library.class, RecordingConfiguration.class),
            "outledger.schema-initialization=always")) {
      library
          .bean(JdbcClient.class)
          .sql("CREATE TABLE shelf (id bigserial PRIMARY KEY, books int NOT NULL)")
          .update();
      Shelves shelves = library.bean(Shelves.class);
      Shelf shelf = shelves.save(new Shelf());
      TransactionTemplate transaction =
          new TransactionTemplate(library.bean(PlatformTransactionManager.class));
      transaction.executeWithoutResult(status -> fill(shelves, shelf.id(), 5));
      fill(shelves, shelf.id(), 6);
      transaction.executeWithoutResult(
          status -> {
            fill(shelves, shelf.id(), 7);
            status.setRollbackOnly();
          });
      fill(shelves, shelf.id(), 8);
      RecordingPublisher published = library.bean(RecordingPublisher.class);
      Await.until(
          "three are published", Duration.ofSeconds(30), () -> published.arrivals().size() >= 3);
      assertThat(published.arrivals())
          .extracting(each -> new String(each.message().payload(), UTF_8))
          .containsExactly(filled(5), filled(6), filled(8));
    }
  }

  private static String filled(int books) {
    return "{\"shelf\":1,\"books\":" + books + "}";
  }

  private static void fill(Shelves shelves, Long id, int books) {
    Shelf shelf = shelves.findById(id).orElseThrow();
    shelf.fill(books);
    shelves.save(shelf);
  }
}
