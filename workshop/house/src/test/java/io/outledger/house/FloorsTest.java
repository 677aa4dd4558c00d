// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static io.outledger.house.Floors.CORE;
import static io.outledger.house.Floors.floor;
import static io.outledger.house.Floors.logging;
import static io.outledger.house.Floors.usedOnlyBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import org.junit.jupiter.api.Test;

/** What each module stands on, read off the compiled product. */
class FloorsTest {
  private static final String POSTGRES_DRIVER = "io.outledger.postgresql.PostgresDriver";

  @Test
  void coreStandsOnTheJdkAndTheLoggingApiAlone() {
    floor(CORE, CORE);
  }

  @Test
  void testingStandsOnCore() {
    floor("io.outledger.testing..", CORE);
  }

  @Test
  void contractsStandOnCoreJdbcAndTesting() {
    floor(
        "io.outledger.contracts..",
        CORE.or(
            resideInAnyPackage(
                "io.outledger.testing..",
                "io.outledger.jdbc..",
                "io.outledger.schemaregistry..",
                "javax.sql..",
                "org.junit.jupiter..",
                "org.assertj..")));
  }

  @Test
  void junitStandsOnJdbcAndTesting() {
    floor(
        "io.outledger.junit..",
        CORE.or(
            resideInAnyPackage(
                "io.outledger.testing..",
                "io.outledger.jdbc..",
                "javax.sql..",
                "org.junit..",
                "org.assertj..")));
  }

  @Test
  void jacksonStandsOnCore() {
    floor(
        "io.outledger.[jackson|jackson3]..",
        CORE.or(resideInAnyPackage("com.fasterxml..", "tools..")));
  }

  @Test
  void formatsWithSchemasStandOnWhatAsksRegistries() {
    floor("io.outledger.schemaregistry..", CORE.or(resideInAnyPackage("com.fasterxml..")));
    DescribedPredicate<JavaClass> below =
        CORE.or(resideInAnyPackage("io.outledger.schemaregistry.."));
    floor("io.outledger.avro..", below.or(resideInAnyPackage("org.apache.avro..")));
    floor("io.outledger.protobuf..", below.or(resideInAnyPackage("com.google.protobuf..")));
    floor("io.outledger.jsonschema..", below.or(resideInAnyPackage("tools..", "com.networknt..")));
  }

  @Test
  void jdbcStandsOnCoreAndKnowsNoDatabase() {
    floor("io.outledger.jdbc..", CORE.or(resideInAnyPackage("javax.sql..")));
  }

  @Test
  void postgresqlStandsOnJdbcAndNeedsNoDriver() {
    DescribedPredicate<JavaClass> below =
        CORE.or(
            resideInAnyPackage("javax.sql..", "io.outledger.jdbc..", "io.outledger.postgresql.."));
    DescribedPredicate<JavaClass> asksTheDriver = // which may be absent
        describe("PostgresDriver", type -> type.getName().startsWith(POSTGRES_DRIVER));
    floor(resideInAnyPackage("io.outledger.postgresql..").and(not(asksTheDriver)), below);
    floor(asksTheDriver, below.or(resideInAnyPackage("org.postgresql..")));
  }

  /** The SQL is hidden: no other module names a class of this one but its door. */
  @Test
  void postgresqlHasOneDoor() {
    usedOnlyBy(
        resideInAnyPackage("io.outledger.postgresql..").and(not(simpleName("PostgreSql"))),
        "io.outledger.postgresql..");
  }

  @Test
  void h2StandsOnJdbcAndNeedsNoDriver() {
    floor(
        "io.outledger.h2..",
        CORE.or(resideInAnyPackage("javax.sql..", "io.outledger.jdbc..", "io.outledger.h2..")));
  }

  @Test
  void h2HasOneDoor() {
    usedOnlyBy(
        resideInAnyPackage("io.outledger.h2..").and(not(simpleName("H2"))), "io.outledger.h2..");
  }

  @Test
  void mysqlStandsOnJdbcAndNeedsNoDriver() {
    floor(
        "io.outledger.mysql..",
        CORE.or(resideInAnyPackage("javax.sql..", "io.outledger.jdbc..", "io.outledger.mysql..")));
  }

  @Test
  void mysqlHasTwoDoors() {
    usedOnlyBy(
        resideInAnyPackage("io.outledger.mysql..")
            .and(not(simpleName("MySql")))
            .and(not(simpleName("MariaDb"))),
        "io.outledger.mysql..");
  }

  @Test
  void sqliteStandsOnJdbcAndNeedsNoDriver() {
    floor(
        "io.outledger.sqlite..",
        CORE.or(resideInAnyPackage("javax.sql..", "io.outledger.jdbc..", "io.outledger.sqlite..")));
  }

  @Test
  void sqliteHasOneDoor() {
    usedOnlyBy(
        resideInAnyPackage("io.outledger.sqlite..").and(not(simpleName("Sqlite"))),
        "io.outledger.sqlite..");
  }

  @Test
  void jpaStandsOnJdbcAndHibernateAlone() {
    floor(
        "io.outledger.jpa..",
        CORE.or(
                resideInAnyPackage(
                    "io.outledger.jdbc..", "jakarta.persistence..", "org.hibernate.."))
            .or(resideInAnyPackage("jakarta.transaction..")));
  }

  @Test
  void natsRedisMqttAndPulsarStandOnCore() {
    floor("io.outledger.nats..", CORE.or(resideInAnyPackage("io.nats..", "javax.net.ssl..")));
    floor("io.outledger.redis..", CORE.or(resideInAnyPackage("io.lettuce..")));
    floor("io.outledger.mqtt..", CORE.or(resideInAnyPackage("com.hivemq..")));
    floor("io.outledger.pulsar..", CORE.or(resideInAnyPackage("org.apache.pulsar..")));
  }

  @Test
  void sqsStandsOnCore() {
    floor("io.outledger.sqs..", CORE.or(resideInAnyPackage("software.amazon.awssdk..")));
  }

  @Test
  void kafkaStandsOnCore() {
    floor("io.outledger.kafka..", CORE.or(resideInAnyPackage("org.apache.kafka..")));
  }

  @Test
  void connectStandsOnJdbc() {
    floor(
        "io.outledger.connect..",
        CORE.or(
            resideInAnyPackage(
                "io.outledger.jdbc..",
                "javax.sql..",
                "com.zaxxer.hikari..",
                "org.apache.kafka..")));
  }

  @Test
  void rabbitMqStandsOnCore() {
    floor("io.outledger.rabbitmq..", CORE.or(resideInAnyPackage("com.rabbitmq..")));
  }

  @Test
  void amqpStandsOnCore() {
    floor("io.outledger.amqp..", CORE.or(logging()).or(resideInAnyPackage("org.apache.qpid..")));
  }

  @Test
  void jmsStandsOnCoreAndOnNoProvider() {
    floor("io.outledger.jms..", CORE.or(logging()).or(resideInAnyPackage("jakarta.jms..")));
  }

  @Test
  void mailStandsOnCore() {
    floor(
        "io.outledger.mail..",
        CORE.or(resideInAnyPackage("javax.net..", "jakarta.mail..", "org.eclipse.angus..")));
  }

  /**
   * Its own classes are looked at, and Spring's by their names: they are not on this class path.
   */
  @Test
  void modulithStandsOnTheSetUpForSpringBoot() {
    floor(
        "io.outledger.modulith..",
        CORE.or(resideInAnyPackage("io.outledger.spring..", "org.springframework..")));
  }
}
