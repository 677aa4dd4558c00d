// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Tests events and handlers of a Spring Boot application, with a database and without the rest. It
 * configures the data source, JDBC, JPA, jOOQ, transactions, Flyway or Liquibase where they are on
 * the class path, and Outledger; see {@link AutoConfigureOutledger} for the database. Event classes
 * are found as usual. Components are not: import those under test.
 *
 * <pre>{@code
 * @OutledgerTest
 * @Import({OrderService.class, Mails.class})
 * class MailsTest {
 *   @Autowired OrderService orders;
 *   @Autowired TestRelays outledger;
 *
 *   @Test
 *   void anOrderIsMailed() throws Exception {
 *     outledger.when(() -> orders.place("o-1")).untilPublished(MailQueued.class);
 *   }
 * }
 * }</pre>
 *
 * <p>Tests are not transactional, because a message is written when its transaction commits. Each
 * test sees the messages since it began; rows of the application stay, so use other keys in each
 * test, or {@code @Sql}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@BootstrapWith(OutledgerTestBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@AutoConfigureOutledger
public @interface OutledgerTest {

  /** Properties of the application for this test, such as {@code outledger.schema=shop}. */
  String[] properties() default {};
}
